// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.config.CodeSettings;
import dev.tenrec.core.config.CommandSettings;
import dev.tenrec.core.config.Configuration;
import dev.tenrec.core.config.LiveSettings;
import dev.tenrec.core.config.PoolSettings;
import dev.tenrec.core.config.SemaphoreSettings;
import dev.tenrec.core.execution.Bulkheads;
import dev.tenrec.core.execution.CommandRuntime;
import dev.tenrec.core.execution.Engine;
import dev.tenrec.core.execution.PoolRuntime;
import dev.tenrec.core.execution.SharedSemaphore;
import dev.tenrec.core.execution.VirtualStarter;
import dev.tenrec.core.isolation.DaemonThreads;
import dev.tenrec.core.isolation.Permits;
import dev.tenrec.core.isolation.WorkerPool;
import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one Tenrec knows by key: commands, pools, shared semaphores. No more of them than allowed:
 * keys made from user input would otherwise fill the memory, and letting the surplus through
 * unguarded would be worse than an error.
 *
 * <p>Changed in the configuration's turn only, so that a change of settings, which may need another
 * pool, and a building of commands, which needs settings, never wait for each other; read by
 * anyone.
 */
final class Registry {

  /** One command key: what code said of it, and what it became. */
  record Entry(
      Definition definition, CommandRuntime runtime, LiveSettings<CommandSettings> settings) {}

  /** One pool key. */
  record Pool(PoolRuntime runtime, LiveSettings<PoolSettings> settings, DaemonThreads threads) {}

  private record Semaphore(
      SharedSemaphore shared, LiveSettings<SemaphoreSettings> settings, CodeSettings code) {}

  private final Engine engine;
  private final Configuration configuration;
  private final VirtualStarter virtual;
  private final int maxCommands;
  private final Map<String, Entry> commands = new ConcurrentHashMap<>();
  private final Map<String, Pool> pools = new ConcurrentHashMap<>();

  /** What code says of pools, made or not. Written and read in turn only. */
  private final Map<String, CodeSettings> poolCodes = new HashMap<>();

  private final Map<String, Semaphore> semaphores = new ConcurrentHashMap<>();
  private final Collapsers collapsers;

  /**
   * Pools that were taken out, as long as they may have threads. Written in turn only, read by
   * anyone.
   */
  private final List<Pool> retired = new CopyOnWriteArrayList<>();

  /** Removed commands, which may have calls in flight. Written in turn, read by anyone. */
  private final List<WeakReference<CommandRuntime>> leaving = new CopyOnWriteArrayList<>();

  /** Written and read in turn only. */
  private boolean closed;

  Registry(Engine engine, Configuration configuration, VirtualStarter virtual, int maxCommands) {
    this.engine = engine;
    this.configuration = configuration;
    this.virtual = virtual;
    this.maxCommands = maxCommands;
    this.collapsers = new Collapsers(configuration);
  }

  /** The command of this key, made now if there is none. */
  Entry command(String key, Definition definition) {
    return configuration.inTurn(
        () -> {
          if (closed) {
            throw new IllegalStateException(
                "command " + key + " cannot be built: this Tenrec is closed");
          }
          Entry present = commands.get(key);
          if (present == null) {
            return make(key, definition);
          }
          if (!present.definition.equals(definition)) {
            throw new IllegalStateException(
                "command "
                    + key
                    + " was built before with other settings: "
                    + present.definition
                    + ", now "
                    + definition);
          }
          return present;
        });
  }

  /** The collapser of this key, and the command its batches run as, made now if there is none. */
  Collapsers.Entry collapser(String key, Definition definition, CodeSettings batching) {
    return configuration.inTurn(
        () -> {
          boolean known = commands.containsKey(key);
          Entry command = command(key, definition);
          try {
            return collapsers.collapser(key, batching, command);
          } catch (RuntimeException | Error e) {
            if (!known) {
              boolean removed = remove(key); // a command nobody asked for by itself
            }
            throw e;
          }
        });
  }

  private Entry make(String key, Definition said) {
    if (commands.size() >= maxCommands) {
      throw new IllegalStateException(
          "command "
              + key
              + " cannot be built: there are "
              + commands.size()
              + " commands already, and maxCommands is "
              + maxCommands
              + ". A key stands for one dependency, not for one argument; remove(key) takes one out.");
    }
    Definition definition = said.with(configuration.shared(said.command()));
    AtomicReference<@Nullable CommandRuntime> made =
        new AtomicReference<>(); // settings change in turn only: not before it is made
    LiveSettings<CommandSettings> settings =
        configuration.command(key, definition.command(), changed -> change(present(made), changed));
    boolean firstToSay = false;
    try {
      firstToSay = agreeOnPool(definition);
      Bulkheads bulkheads =
          new Bulkheads(
              key,
              definition.poolKey(),
              semaphore(definition),
              poolKey -> pool(poolKey).runtime,
              virtual,
              engine.closing());
      CommandRuntime runtime =
          new CommandRuntime(
              key,
              definition.group(),
              engine,
              bulkheads,
              settings.current(),
              definition.stackTraces());
      made.set(runtime);
      Entry entry = new Entry(definition, runtime, settings);
      commands.put(key, entry);
      return entry;
    } catch (RuntimeException | Error e) {
      settings.close();
      if (firstToSay) {
        poolCodes.remove(definition.poolKey()); // what was refused binds nobody
      }
      throw e;
    }
  }

  private void change(CommandRuntime runtime, CommandSettings changed) {
    String before = runtime.poolKey();
    runtime.settings(changed);
    Pool left = pools.get(before);
    if (left != null && !before.equals(runtime.poolKey()) && !isWanted(before)) {
      retire(left);
    }
  }

  /**
   * Whoever says something of a pool has to say the same, whether or not its strategy is to use it
   * now: that can change while nobody is there to be told. A pool that was made by one who said
   * nothing goes by it from now on.
   *
   * @return whether this is the first to say something
   */
  private boolean agreeOnPool(Definition definition) {
    String poolKey = definition.poolKey();
    CodeSettings said = poolCodes.get(poolKey);
    if (definition.pool().isEmpty() || definition.pool().equals(said)) {
      return false;
    }
    if (said != null) {
      throw new IllegalStateException(
          "thread pool "
              + poolKey
              + " was built before with other settings: "
              + said
              + ", now "
              + definition.pool());
    }
    Pool present = pools.get(poolKey);
    if (present != null) {
      LiveSettings<PoolSettings> settings =
          configuration.pool(poolKey, definition.pool(), present.runtime::settings);
      present.settings.close();
      present.runtime.settings(settings.current());
      pools.put(poolKey, new Pool(present.runtime, settings, present.threads));
    }
    poolCodes.put(poolKey, definition.pool());
    return true;
  }

  private Pool pool(String poolKey) {
    Pool present = pools.get(poolKey);
    return present != null
        ? present
        : makePool(poolKey, poolCodes.getOrDefault(poolKey, CodeSettings.pool().build()));
  }

  private Pool makePool(String poolKey, CodeSettings code) {
    AtomicReference<@Nullable PoolRuntime> made = new AtomicReference<>(); // as above
    LiveSettings<PoolSettings> settings =
        configuration.pool(poolKey, code, changed -> present(made).settings(changed));
    DaemonThreads threads = new DaemonThreads(poolKey, engine.ticker(), engine.waiter());
    WorkerPool workers =
        new WorkerPool(
            poolKey,
            PoolRuntime.limits(settings.current()),
            threads,
            engine.ticker(),
            engine.waiter());
    PoolRuntime runtime = new PoolRuntime(poolKey, settings.current(), workers, engine.ticker());
    made.set(runtime);
    Pool pool = new Pool(runtime, settings, threads);
    pools.put(poolKey, pool);
    return pool;
  }

  private static <T> T present(AtomicReference<@Nullable T> made) {
    return Objects.requireNonNull(made.get(), "settings changed before what they are for was made");
  }

  private @Nullable SharedSemaphore semaphore(Definition definition) {
    String name = definition.semaphoreName();
    if (name == null) {
      return null;
    }
    Semaphore present = semaphores.get(name);
    if (present != null) {
      if (!present.code.equals(definition.semaphore())) {
        throw new IllegalStateException(
            "semaphore "
                + name
                + " was built before with other settings: "
                + present.code
                + ", now "
                + definition.semaphore());
      }
      return present.shared;
    }
    Permits permits = new Permits(0);
    LiveSettings<SemaphoreSettings> settings =
        configuration.semaphore(
            name, definition.semaphore(), changed -> permits.resize(changed.maxConcurrent()));
    permits.resize(settings.current().maxConcurrent());
    SharedSemaphore shared = new SharedSemaphore(name, permits);
    semaphores.put(name, new Semaphore(shared, settings, definition.semaphore()));
    return shared;
  }

  /**
   * Takes a command out, and the pool and the semaphore if nobody else uses them. False if there is
   * none.
   */
  boolean remove(String key) {
    return configuration.inTurn(
        () -> {
          Entry removed = commands.remove(key);
          if (removed == null) {
            return false;
          }
          removed.settings.close();
          removed.runtime.close();
          collapsers.remove(key);
          leaving.removeIf(before -> !isBusy(before.get()));
          leaving.add(new WeakReference<>(removed.runtime));
          pools.values().stream()
              .filter(pool -> !isWanted(pool.runtime.key()))
              .forEach(this::retire);
          String poolKey = removed.definition.poolKey();
          if (poolCodes.containsKey(poolKey)
              && commands.values().stream()
                  .noneMatch(
                      other ->
                          other.definition.poolKey().equals(poolKey)
                              && !other.definition.pool().isEmpty())) {
            poolCodes.remove(poolKey);
          }
          String semaphore = removed.definition.semaphoreName();
          if (semaphore != null
              && commands.values().stream()
                  .noneMatch(other -> semaphore.equals(other.definition.semaphoreName()))) {
            Semaphore unused = semaphores.remove(semaphore);
            if (unused != null) {
              unused.settings.close();
            }
          }
          return true;
        });
  }

  private boolean isWanted(String poolKey) {
    return commands.values().stream()
        .anyMatch(
            entry -> entry.definition.poolKey().equals(poolKey) || entry.runtime.usesPool(poolKey));
  }

  private void retire(Pool pool) {
    pools.remove(pool.runtime.key());
    pool.settings.close();
    pool.runtime.retire();
    retired.removeIf(before -> before.threads.live() == 0);
    retired.add(pool);
  }

  /** Whether any call holds a permit, those of commands that were removed included. */
  boolean hasCallsInFlight() {
    return commands.values().stream().anyMatch(entry -> isBusy(entry.runtime))
        || leaving.stream().anyMatch(left -> isBusy(left.get()));
  }

  /** The commands that have calls in flight, removed ones included. */
  List<CommandRuntime> withCallsInFlight() {
    return Stream.concat(
            commands.values().stream().map(Entry::runtime),
            leaving.stream().map(WeakReference::get).flatMap(Stream::ofNullable))
        .filter(Registry::isBusy)
        .toList();
  }

  private static boolean isBusy(@Nullable CommandRuntime runtime) {
    return runtime != null && runtime.inFlight() > 0;
  }

  /**
   * Every call that begins from now on is rejected, and nothing can be built. False if that was so
   * before.
   */
  boolean close() {
    return configuration.inTurn(
        () -> {
          boolean first = !closed;
          closed = true;
          collapsers.close();
          commands.values().forEach(entry -> entry.runtime.close());
          return first;
        });
  }

  Collection<Entry> commands() {
    return List.copyOf(commands.values());
  }

  Collection<Collapsers.Entry> collapsers() {
    return collapsers.all();
  }

  Collection<Pool> pools() {
    return List.copyOf(pools.values());
  }

  /** Those, too, that were taken out and may still be at their last work. */
  Collection<Pool> poolsAndRetired() {
    return Stream.concat(pools.values().stream(), retired.stream()).toList();
  }
}
