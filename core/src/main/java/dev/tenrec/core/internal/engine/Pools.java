// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.config.CodeSettings;
import dev.tenrec.core.internal.config.Configuration;
import dev.tenrec.core.internal.config.LiveSettings;
import dev.tenrec.core.internal.config.PoolSettings;
import dev.tenrec.core.internal.isolation.DaemonThreads;
import dev.tenrec.core.internal.isolation.WorkerPool;
import dev.tenrec.core.internal.launch.PoolRuntime;
import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pools one {@link Registry} knows by key. One is made when a command first runs on it, and
 * taken out when no command names it any more; that is counted, so that the cost does not depend on
 * how many commands and pools there are.
 *
 * <p>Changed under the configuration's lock only, read by any thread.
 */
final class Pools {

  /**
   * What commands' code says of a pool, made or not.
   *
   * @param commands how many say so
   */
  private record Said(CodeSettings code, int commands) {}

  private final Engine engine;
  private final Configuration configuration;
  private final Inventory inventory;

  /** What the names of pools' threads begin with. */
  private final String threadsOwner;

  /**
   * How often a key is named: by commands' code, and by what they run on now. Small numbers, which
   * cost no object; nearly every command has a key of its own here. Read and written under the
   * configuration's lock only.
   */
  private final Map<String, Integer> named = new HashMap<>();

  /**
   * Of the keys that code says anything of. Read and written under the configuration's lock only.
   */
  private final Map<String, Said> said = new HashMap<>();

  /** Those that are made. Written under the configuration's lock, read by any thread. */
  private final Map<String, Registry.Pool> pools = new ConcurrentHashMap<>();

  /**
   * Those that were taken out, by key: of one key, at most one is not collected yet. Weak, for a
   * pool that is left by all refers to the user's class loader; calls that are in it or about to be
   * hold it, and so do its threads. Changed under the configuration's lock, read by any thread.
   */
  private final RetiredResources<String, WeakReference<PoolRuntime>> retired =
      new RetiredResources<>(pool -> isQuiet(pool.get()));

  /** Read and written under the configuration's lock only. */
  private final AdoptableResources<PoolRuntime> letGo = new AdoptableResources<>();

  Pools(Engine engine, Configuration configuration, Inventory inventory, String threadsOwner) {
    this.engine = engine;
    this.inventory = inventory;
    this.threadsOwner = threadsOwner;
    this.configuration = configuration;
  }

  /**
   * A command's code names a pool. All code that says something of a pool has to agree, whether or
   * not its strategy is to use it now: that can change when no code is there to get the error.
   *
   * @return whether there is a pool by other settings, which has to {@link #goBy} these once
   *     nothing of the command can be refused any more
   * @throws IllegalArgumentException if there can be no such pool
   * @throws IllegalStateException if other code says something else
   */
  boolean claim(String key, CodeSettings code) {
    configuration.checkPool(key, code);
    if (code.isEmpty()) {
      name(key);
      return false;
    }
    Said before = said.get(key);
    if (before != null && !before.code().equals(code)) {
      throw new IllegalStateException(
          "thread pool "
              + key
              + " was built before with other settings: "
              + before.code()
              + ", now "
              + code);
    }
    name(key);
    try {
      said.put(key, new Said(code, before == null ? 1 : before.commands() + 1));
    } catch (Error e) { // no memory
      release(key);
      throw e;
    }
    return before == null && pools.containsKey(key);
  }

  /** A pool that was made when none said anything goes by this from now on. */
  void goBy(String key, CodeSettings code) {
    Registry.Pool present = Objects.requireNonNull(pools.get(key), key);
    Registry.Pool again = resettled(present.runtime(), code);
    pools.put(key, again);
    present.settings().close();
    inventory.report(Inventory.POOL_REMOVED, present.view());
    inventory.report(Inventory.POOL_ADDED, again.view());
  }

  /** What {@link #claim} did no longer holds: the command was taken out, or could not be built. */
  void disclaim(String key, CodeSettings code) {
    if (!code.isEmpty()) {
      said.computeIfPresent(
          key,
          (same, now) -> now.commands() == 1 ? null : new Said(now.code(), now.commands() - 1));
    }
    release(key);
  }

  /** A command may run on this pool. */
  void name(String key) {
    int unused = named.merge(key, 1, Integer::sum);
  }

  /** It may not any more. */
  void release(String key) {
    Integer left = named.computeIfPresent(key, (same, times) -> times == 1 ? null : times - 1);
    if (left == null) {
      Registry.Pool unused = pools.remove(key);
      if (unused != null) {
        retire(unused);
      }
    }
  }

  private void retire(Registry.Pool pool) {
    pool.settings().close();
    inventory.report(Inventory.POOL_REMOVED, pool.view());
    pool.runtime().retire();
    retired.add(pool.runtime().key(), new WeakReference<>(pool.runtime()));
    letGo.add(pool.runtime().key(), pool.runtime());
  }

  /**
   * The pool of a key that is named, made now if there is none. If it was taken out a moment ago,
   * and calls are in it still or may come, that pool is used again, with its permits, threads and
   * counts.
   */
  PoolRuntime pool(String key) {
    Registry.Pool present = pools.get(key);
    if (present == null) {
      PoolRuntime again = letGo.take(key);
      Registry.Pool made = again != null ? adopt(again) : make(key);
      try {
        pools.put(key, made);
      } catch (Error e) { // no memory
        pools.remove(key);
        made.settings().close();
        letGo.add(key, made.runtime());
        throw e;
      }
      inventory.report(Inventory.POOL_ADDED, made.view());
      return made.runtime();
    }
    return present.runtime();
  }

  private Registry.Pool adopt(PoolRuntime again) {
    try {
      Registry.Pool adopted = resettled(again, code(again.key()));
      WeakReference<PoolRuntime> unused = retired.remove(again.key());
      return adopted;
    } catch (RuntimeException | Error e) {
      letGo.add(again.key(), again);
      throw e;
    }
  }

  /** A pool there is, by other settings from now on. */
  private Registry.Pool resettled(PoolRuntime runtime, CodeSettings code) {
    LiveSettings<PoolSettings> settings =
        configuration.pool(runtime.key(), code, runtime::settings);
    try {
      runtime.settings(settings.current());
      return new Registry.Pool(runtime, settings);
    } catch (RuntimeException | Error e) {
      settings.close();
      throw e;
    }
  }

  private Registry.Pool make(String key) {
    AtomicReference<@Nullable PoolRuntime> made =
        new AtomicReference<>(); // settings change under the configuration's lock only: not before
    // it is made
    LiveSettings<PoolSettings> settings =
        configuration.pool(
            key, code(key), changed -> Objects.requireNonNull(made.get(), key).settings(changed));
    try {
      DaemonThreads threads =
          new DaemonThreads(threadsOwner, key, engine.ticker(), engine.waiter());
      WorkerPool workers =
          new WorkerPool(
              key,
              PoolRuntime.limits(settings.current()),
              // by way of the pool: as long as it has a thread, it is not collected
              work -> Objects.requireNonNull(made.get(), key).threads().newThread(work),
              engine.ticker(),
              engine.waiter(),
              new TimedThreadStartRetry(engine));
      PoolRuntime runtime =
          new PoolRuntime(key, settings.current(), workers, threads, engine.ticker());
      made.set(runtime);
      return new Registry.Pool(runtime, settings);
    } catch (RuntimeException | Error e) {
      settings.close();
      throw e;
    }
  }

  private CodeSettings code(String key) {
    Said present = said.get(key);
    return present != null ? present.code() : CodeSettings.pool().build();
  }

  /** Those of a pool that is made. */
  @Nullable LiveSettings<PoolSettings> settings(String key) {
    Registry.Pool present = pools.get(key);
    return present == null ? null : present.settings();
  }

  Collection<Registry.Pool> all() {
    return List.copyOf(pools.values());
  }

  /** Those, too, that were taken out and may still be at their last work. */
  Collection<PoolRuntime> allAndRetired() {
    return Stream.concat(
            pools.values().stream().map(Registry.Pool::runtime),
            retired.all().stream().map(WeakReference::get).flatMap(Stream::ofNullable))
        .toList();
  }

  private static boolean isQuiet(@Nullable PoolRuntime pool) {
    return pool == null || pool.isQuiet();
  }
}
