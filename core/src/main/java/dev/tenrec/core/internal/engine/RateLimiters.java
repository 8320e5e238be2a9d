// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.internal.config.Configuration;
import dev.tenrec.core.internal.config.LiveSettings;
import dev.tenrec.core.internal.config.RateSettings;
import dev.tenrec.core.internal.gate.RateGate;
import dev.tenrec.core.view.RateLimiterDetails;
import dev.tenrec.metrics.time.Ticker;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The shared rate limiters one {@link Registry} knows by name, each as long as a command shares it.
 * Used under the configuration's lock only.
 */
final class RateLimiters {

  /** One name. */
  private static final class Place implements RateLimiterDetails, AutoCloseable {

    private final NamedShare said;
    private final Ticker ticker;
    private final LiveSettings<RateSettings> settings;
    private final RateGate gate;

    /** How many commands share it. */
    private int users;

    Place(NamedShare said, Ticker ticker, Configuration configuration) {
      this.said = said;
      this.ticker = ticker;
      this.settings = configuration.rateLimiter(said.name(), said.code(), this::take);
      try {
        this.gate = RateGate.of(said.name(), true, settings.current(), ticker.nanoTime());
      } catch (RuntimeException | Error e) {
        settings.close();
        throw e;
      }
    }

    private void take(RateSettings changed) {
      gate.change(changed, ticker.nanoTime());
    }

    @Override
    public String name() {
      return said.name();
    }

    @Override
    public int available() {
      return gate.left(ticker.nanoTime());
    }

    @Override
    public int keys() {
      return gate.keyCount();
    }

    @Override
    public List<EffectiveSetting> settings() {
      return settings.effective();
    }

    @Override
    public void close() {
      settings.close();
    }
  }

  private final Configuration configuration;
  private final Inventory inventory;
  private final Ticker ticker;
  private final Map<String, Place> places = new HashMap<>();

  RateLimiters(Configuration configuration, Inventory inventory, Ticker ticker) {
    this.configuration = configuration;
    this.inventory = inventory;
    this.ticker = ticker;
  }

  /**
   * A command shares this rate limiter, made now if there is none; null for none.
   *
   * @throws IllegalStateException if other code says something else of it
   */
  @Nullable RateGate share(@Nullable NamedShare said) {
    if (said == null) {
      return null;
    }
    Place place = places.get(said.name());
    if (place == null) {
      place = make(said);
      inventory.report(Inventory.RATE_LIMITER_ADDED, place);
    } else if (!place.said.equals(said)) {
      throw new IllegalStateException(
          "rate limiter "
              + said.name()
              + " was built before with other settings: "
              + place.said.code()
              + ", now "
              + said.code());
    }
    place.users++;
    return place.gate;
  }

  private Place make(NamedShare said) {
    Place made = new Place(said, ticker, configuration);
    try {
      places.put(said.name(), made);
      return made;
    } catch (Error e) { // no memory: it may be in there by now
      places.remove(said.name());
      made.close();
      throw e;
    }
  }

  /** A command that shared it does so no longer. */
  void release(@Nullable NamedShare said) {
    if (said == null) {
      return;
    }
    Place place = Objects.requireNonNull(places.get(said.name()), said.name());
    place.users--;
    if (place.users == 0) {
      places.remove(said.name());
      place.close();
      inventory.report(Inventory.RATE_LIMITER_REMOVED, place);
    }
  }

  Collection<RateLimiterDetails> all() {
    return List.copyOf(places.values());
  }
}
