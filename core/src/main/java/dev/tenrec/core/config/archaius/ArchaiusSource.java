// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config.archaius;

import com.netflix.archaius.Layers;
import com.netflix.archaius.config.DefaultLayeredConfig;
import dev.tenrec.core.config.SettingOrigin;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.SourceStatus;
import dev.tenrec.core.config.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Settings from an Archaius config of these layers, strongest first:
 *
 * <ol>
 *   <li>{@link Layers#RUNTIME}: what is set here, in memory
 *   <li>a remote source, at 250, if one is given: what steers a fleet beats what stands on one
 *       machine
 *   <li>{@link Layers#SYSTEM}: the system properties
 *   <li>{@link Layers#APPLICATION}: a watched {@code .properties} file, if one is given
 *   <li>{@link Layers#DEFAULT}: configs of the application's own, unless it gives them another
 *       layer
 * </ol>
 *
 * <p>System properties and the file are looked at each second, because neither reports a change. A
 * config of the application's is listened to, and its values are copied: adding it to a layered
 * config would replace its decoder and its interpolator, and of two layers that change at once a
 * layered config can lose one change.
 *
 * <p>Thread-safe.
 */
public final class ArchaiusSource implements SettingsSource {

  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /** How soon to look again at a file that has just changed. */
  private static final Duration SOON = Duration.ofMillis(100);

  /**
   * One look at a time. Taken before {@link #layersLock}, so that a slow disk holds up other looks
   * only.
   */
  private final ReentrantLock lookLock = new ReentrantLock();

  /** One change of the layers at a time. Neither lock is held while subscribers are notified. */
  private final ReentrantLock layersLock = new ReentrantLock();

  /**
   * Has to be a field: its layers refer to it weakly, and it follows them only as long as another
   * object refers to it.
   */
  private final DefaultLayeredConfig root = new DefaultLayeredConfig("tenrec");

  private final MapConfigLayer memory = new MapConfigLayer("tenrec-memory");
  private final MapConfigLayer system = new MapConfigLayer("tenrec-system");
  private final MapConfigLayer file = new MapConfigLayer("tenrec-file");
  private final MapConfigLayer base = new MapConfigLayer("tenrec-base");
  private final PolledLayers polled;
  private final Respelled respelled;
  private final List<ForeignConfig> foreign = new ArrayList<>();

  /** Those of {@link #foreign} that beat the remote source. */
  private final List<ForeignConfig> aboveRemote = new ArrayList<>();

  private final @Nullable RemoteLayer remote;
  private final CopyOnWriteArrayList<Subscriber> subscribers = new CopyOnWriteArrayList<>();

  /**
   * The threads that notify subscribers; one that does so within another notification is there
   * twice. Read and written under {@link #layersLock}.
   */
  private final List<Thread> notifying = new ArrayList<>();

  /** Those among them that notify of a change which they have made. Guarded by the same lock. */
  private final List<Thread> notifyingOfChange = new ArrayList<>();

  /** Written once, before another thread has the source. */
  private @Nullable Poller poller;

  private ArchaiusSource(PolledLayers polled, Respelled respelled, @Nullable RemoteLayer remote) {
    this.polled = polled;
    this.respelled = respelled;
    this.remote = remote;
    root.setStrInterpolator(new BoundedInterpolator());
    root.addConfig(Layers.RUNTIME, memory);
    if (remote != null) {
      root.addConfig(RemoteLayer.PLACE, remote.layer());
    }
    root.addConfig(Layers.SYSTEM, system);
    root.addConfig(Layers.APPLICATION, file);
    root.addConfig(Layers.DEFAULT, base);
  }

  static ArchaiusSource start(ArchaiusSourceBuilder plan, ThreadFactory threads) {
    Respelled respelled = new Respelled(plan.spelling);
    RemoteLayer remote = plan.remote;
    ArchaiusSource source =
        new ArchaiusSource(new PolledLayers(plan.file, respelled), respelled, remote);
    try {
      source.follow(plan);
      source.poller = Poller.start(source::poll, INTERVAL, plan.ticker, plan.waiter, threads);
      return source;
    } catch (RuntimeException | Error e) { // what it subscribed to is the user's, and lives on
      try {
        source.close();
      } catch (RuntimeException | Error again) {
        if (again != e) {
          e.addSuppressed(again);
        }
      }
      throw e;
    }
  }

  /** Takes the first look at each layer, and listens to those that report changes. */
  private void follow(ArchaiusSourceBuilder plan) {
    RemoteLayer remoteLayer = remote;
    if (remoteLayer != null) {
      remoteLayer.listen(() -> change(() -> remoteLayer.copy(respelled)));
      change(() -> remoteLayer.copy(respelled));
    }
    replaceBase(plan.base);
    for (ArchaiusSourceBuilder.Placed placed : plan.configs) {
      ForeignConfig config =
          new ForeignConfig(placed.config(), respelled, changed -> change(changed::copy));
      foreign.add(config);
      if (placed.layer().getOrder() <= RemoteLayer.PLACE.getOrder()) {
        aboveRemote.add(config);
      }
      root.addConfig(placed.layer(), config.layer());
      config.listen();
      change(config::copy);
    }
    refresh();
  }

  /** Starts the description of a source. */
  public static ArchaiusSourceBuilder builder() {
    return new ArchaiusSourceBuilder();
  }

  /**
   * Sets a property in memory, above all other layers. All subscribers have been notified when this
   * returns.
   */
  public void set(String key, String value) {
    set(Map.of(key, value));
  }

  /** Sets properties in memory, all in one change; others stay. */
  public void set(Map<String, String> values) {
    edit(next -> next.putAll(respelled.of(values)));
  }

  /** Takes a property out of memory, so that the layers below show again. */
  public void clear(String key) {
    clear(Set.of(key));
  }

  /** Takes properties out of memory, all in one change; others stay. */
  public void clear(Collection<String> keys) {
    edit(next -> respelled.of(keys).forEach(next::remove));
  }

  /** Has exactly {@code values} in memory, in one change. */
  public void replace(Map<String, String> values) {
    change(() -> memory.replace(respelled.of(values)));
  }

  /** Has exactly {@code values} as the base, below all other layers, in one change. */
  public void replaceBase(Map<String, String> values) {
    change(() -> base.replace(respelled.of(values)));
  }

  /** Looks at the system properties and the file at once. The file is taken as it is found. */
  public void refresh() {
    look(true);
  }

  @Override
  public Map<String, String> values(String prefix) {
    layersLock.lock(); // no layer may change halfway through
    try {
      return Map.copyOf(Texts.startingWith(prefix + ".", root));
    } finally {
      layersLock.unlock();
    }
  }

  @Override
  public @Nullable SettingOrigin origin(String key, @Nullable String value) {
    boolean isBeaten =
        memory.containsKey(key)
            || aboveRemote.stream().anyMatch(config -> config.layer().containsKey(key));
    return remote == null || isBeaten ? null : remote.origin(key, value);
  }

  /** That of the remote source; null if there is none. */
  @Override
  public @Nullable SourceStatus status() {
    return remote == null ? null : remote.status();
  }

  @Override
  public Subscription subscribe(Runnable onChange) {
    Subscriber subscriber = new Subscriber(onChange);
    subscribers.add(subscriber);
    return () -> {
      subscriber.end();
      subscribers.remove(subscriber);
    };
  }

  /** Ends the thread that looks, and stops listening to the application's configs. Idempotent. */
  @Override
  public void close() {
    if (poller != null) {
      poller.close();
    }
    subscribers.clear();
    foreign.forEach(ForeignConfig::close);
    if (remote != null) {
      remote.close();
    }
  }

  private Duration poll() {
    return look(false) ? INTERVAL : SOON;
  }

  /** Returns whether the file has settled. */
  private boolean look(boolean trust) {
    boolean isToBeNotified;
    PolledLayers.Look found;
    lookLock.lock();
    try {
      found = polled.look(trust);
      isToBeNotified = withLayers(() -> take(found));
    } finally {
      lookLock.unlock();
    }
    if (isToBeNotified) {
      notifySubscribers();
    }
    return found.settled();
  }

  private boolean take(PolledLayers.Look found) {
    boolean systemChanged = system.replace(found.system());
    boolean fileChanged = file.replace(found.file());
    return systemChanged || fileChanged;
  }

  private void edit(Consumer<Map<String, String>> edit) {
    change(
        () -> {
          Map<String, String> next = new HashMap<>(memory.values());
          edit.accept(next);
          return memory.replace(next);
        });
  }

  private void change(BooleanSupplier action) {
    if (withLayers(action)) {
      notifySubscribers();
    }
  }

  /**
   * Returns whether subscribers are to be notified: of a change by the action; or where it found
   * all as it was to be, of another thread's change, of which that thread may not have notified all
   * yet. Not if this thread is at that itself: a subscriber that sets what is there would be
   * notified of it for ever.
   */
  private boolean withLayers(BooleanSupplier action) {
    Thread current = Thread.currentThread();
    layersLock.lock();
    try {
      boolean changed = action.getAsBoolean();
      boolean isToBeNotified =
          changed || (!notifyingOfChange.isEmpty() && !notifying.contains(current));
      if (isToBeNotified) {
        notifying.add(current);
      }
      if (changed) {
        notifyingOfChange.add(current);
      }
      return isToBeNotified;
    } finally {
      layersLock.unlock();
    }
  }

  private void notifySubscribers() {
    try {
      subscribers.forEach(Subscriber::notifyOfChange);
    } finally {
      layersLock.lock();
      try {
        notifying.remove(Thread.currentThread());
        notifyingOfChange.remove(Thread.currentThread());
      } finally {
        layersLock.unlock();
      }
    }
  }
}
