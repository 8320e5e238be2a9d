// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.internal.config.CodeSettings;
import dev.tenrec.core.internal.config.Configuration;
import dev.tenrec.core.internal.config.LiveSettings;
import dev.tenrec.core.internal.config.SemaphoreSettings;
import dev.tenrec.core.internal.gate.SharedSemaphore;
import dev.tenrec.core.internal.isolation.Permits;
import dev.tenrec.core.view.SemaphoreDetails;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The shared semaphores one {@link Registry} knows by name, each as long as a command shares it.
 * Changed under the configuration's lock only; closing shuts them on its own thread.
 */
final class Semaphores {

  /** One name. */
  private static final class Place implements SemaphoreDetails {

    private final SharedSemaphore shared;
    private final LiveSettings<SemaphoreSettings> settings;
    private final CodeSettings code;

    /** How many commands share it. */
    private int users;

    Place(SharedSemaphore shared, LiveSettings<SemaphoreSettings> settings, CodeSettings code) {
      this.shared = shared;
      this.settings = settings;
      this.code = code;
    }

    @Override
    public String name() {
      return shared.name();
    }

    @Override
    public int inUse() {
      return shared.permits().inUse();
    }

    @Override
    public int limit() {
      return shared.permits().limit();
    }

    @Override
    public List<EffectiveSetting> settings() {
      return settings.effective();
    }
  }

  private final Configuration configuration;
  private final Inventory inventory;
  private final Map<String, Place> places = new ConcurrentHashMap<>();

  /** Written by the closing thread. Read and written under this object's lock, as sizes are set. */
  private boolean shut;

  private final AdoptableResources<Permits> letGo = new AdoptableResources<>();

  Semaphores(Configuration configuration, Inventory inventory) {
    this.configuration = configuration;
    this.inventory = inventory;
  }

  /**
   * A command shares this semaphore, made now if there is none; null for none.
   *
   * @throws IllegalStateException if other code says something else of it
   */
  @Nullable SharedSemaphore share(@Nullable NamedShare said) {
    if (said == null) {
      return null;
    }
    String name = said.name();
    CodeSettings code = said.code();
    Place place = places.get(name);
    if (place == null) {
      place = make(name, code);
      inventory.report(Inventory.SEMAPHORE_ADDED, place);
    } else if (!place.code.equals(code)) {
      throw new IllegalStateException(
          "semaphore "
              + name
              + " was built before with other settings: "
              + place.code
              + ", now "
              + code);
    }
    place.users++;
    return place.shared;
  }

  /**
   * If it was let go of a moment ago, and calls have its permits still, those permits are used
   * again.
   */
  private Place make(String name, CodeSettings code) {
    Permits again = letGo.take(name);
    Permits permits = again != null ? again : new Permits(0);
    LiveSettings<SemaphoreSettings> settings = null;
    try {
      settings = configuration.semaphore(name, code, changed -> resize(permits, changed));
      Place made = new Place(new SharedSemaphore(name, permits), settings, code);
      open(name, made);
      return made;
    } catch (RuntimeException | Error e) {
      places.remove(name);
      if (settings != null) {
        settings.close();
      }
      letGo.add(name, permits);
      throw e;
    }
  }

  /** Under the lock: closing shuts it, or has been here before. */
  private synchronized void open(String name, Place made) {
    resize(made.shared.permits(), made.settings.current());
    places.put(name, made);
  }

  private synchronized void resize(Permits permits, SemaphoreSettings settings) {
    permits.resize(shut ? 0 : settings.maxConcurrent());
  }

  /** A command that shared it does so no longer. */
  void release(@Nullable NamedShare said) {
    if (said == null) {
      return;
    }
    String name = said.name();
    Place place = Objects.requireNonNull(places.get(name), name);
    place.users--;
    if (place.users == 0) {
      places.remove(name);
      place.settings.close();
      inventory.report(Inventory.SEMAPHORE_REMOVED, place);
      place.shared.permits().resize(0); // also for a call that has read its plan before
      letGo.add(name, place.shared.permits());
    }
  }

  Collection<SemaphoreDetails> all() {
    return List.copyOf(places.values());
  }

  /** All is closing: nothing enters any more, whatever settings a call goes by. */
  synchronized void shut() {
    shut = true;
    places.values().forEach(place -> place.shared.permits().resize(0));
  }
}
