// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import dev.tenrec.core.config.Property;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.call.LoadedEarly;
import dev.tenrec.core.internal.config.CodeSettings;
import dev.tenrec.core.internal.config.CommandSettings;
import dev.tenrec.core.internal.config.Configuration;
import dev.tenrec.core.internal.config.LiveSettings;
import dev.tenrec.core.internal.config.PoolSettings;
import dev.tenrec.core.internal.launch.PoolRuntime;
import dev.tenrec.core.internal.launch.VirtualStarter;
import dev.tenrec.core.view.InventoryListener;
import dev.tenrec.core.view.PoolDetails;
import dev.tenrec.core.view.RateLimiterDetails;
import dev.tenrec.core.view.RetryBudgetDetails;
import dev.tenrec.core.view.SemaphoreDetails;
import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one Tenrec knows by key: commands, pools, shared semaphores, rate limiters and budgets. No
 * more of them than allowed: keys made from user input would otherwise fill the memory, and letting
 * the surplus through unguarded would be worse than an error.
 *
 * <p>Changed under the configuration's lock only, so that a change of settings, which may need
 * another pool, and a building of commands, which needs settings, never wait for each other; read
 * by any thread.
 */
public final class Registry {

  static {
    LoadedEarly.load();
  }

  /** One command key: what code said of it, and what it became. */
  public record Entry(
      Definition definition,
      CommandRuntime runtime,
      LiveSettings<CommandSettings> settings,
      SharedBudgets budgets) {}

  /** One pool key. */
  public record Pool(PoolRuntime runtime, LiveSettings<PoolSettings> settings, PoolDetails view) {

    Pool(PoolRuntime runtime, LiveSettings<PoolSettings> settings) {
      this(runtime, settings, runtime.view(settings));
    }
  }

  private final Engine engine;
  private final Configuration configuration;
  private final int maxCommands;
  private final Map<String, Entry> commands = new ConcurrentHashMap<>();
  private final Pools pools;

  private final Semaphores semaphores;
  private final RateLimiters rateLimiters;
  private final RetryBudgets retryBudgets;
  private final Collapsers collapsers;
  private final Inventory inventory;
  private final CommandMaker maker;

  /**
   * Removed commands, which may have calls in flight. Changed under the configuration's lock, read
   * by any thread.
   */
  private final RetiredResources<Object, WeakReference<CommandRuntime>> leaving =
      new RetiredResources<>(left -> !isBusy(left.get()));

  /**
   * Written by the closing thread before it goes through what there is, read under the
   * configuration's lock after something was made: one of the two sees the other. So closing does
   * not take it.
   */
  private final AtomicBoolean closed = new AtomicBoolean();

  public Registry(
      Engine engine,
      Configuration configuration,
      VirtualStarter virtual,
      int maxCommands,
      String threadsOwner) {
    this(
        engine,
        configuration,
        virtual,
        maxCommands,
        threadsOwner,
        new Inventory(configuration::afterwards, engine.failures()));
  }

  Registry(
      Engine engine,
      Configuration configuration,
      VirtualStarter virtual,
      int maxCommands,
      String threadsOwner,
      Inventory inventory) {
    this.engine = engine;
    this.configuration = configuration;
    this.maxCommands = maxCommands;
    this.inventory = inventory;
    this.pools = new Pools(engine, configuration, inventory, threadsOwner);
    this.semaphores = new Semaphores(configuration, inventory);
    this.rateLimiters = new RateLimiters(configuration, inventory, engine.ticker());
    this.retryBudgets = new RetryBudgets(configuration, inventory, engine.ticker());
    this.collapsers = new Collapsers(configuration, inventory);
    this.maker =
        new CommandMaker(
            engine, configuration, virtual, pools, semaphores, rateLimiters, retryBudgets);
  }

  /** What its commands share on an execution's way. */
  public Engine engine() {
    return engine;
  }

  /** The command of this key, made now if there is none. */
  public Entry command(String key, Definition definition) {
    return command(key, definition, settings -> {});
  }

  /**
   * The command of this key, made now if there is none.
   *
   * @param allowed throws if there can be none with these settings in force; nothing is left of it
   *     then
   */
  public Entry command(String key, Definition definition, Consumer<CommandSettings> allowed) {
    return configuration.inTurn(
        () -> {
          refuseIfClosed(key);
          Entry present = commands.get(key);
          if (present == null) {
            Entry made = make(key, definition, allowed);
            if (closed.get()) {
              closeAll(); // it may have come too late for the closing thread
              refuseIfClosed(key);
            }
            return made;
          }
          if (!present.definition.equals(definition)) {
            throw new IllegalStateException(
                "command "
                    + key
                    + " was built before with other settings: "
                    + present.definition.changedTo(definition));
          }
          allowed.accept(present.settings.current());
          return present;
        });
  }

  /** The collapser of this key, and the command its batches run as, made now if there is none. */
  public Collapsers.Entry collapser(
      String key, String batchKey, Definition definition, CodeSettings batching) {
    return configuration.inTurn(
        () -> {
          boolean known = commands.containsKey(batchKey);
          if (!known) { // a command that is made may change the pool of others
            collapsers.check(key, batching, batchKey);
          }
          Entry command = command(batchKey, definition);
          try {
            Collapsers.Entry made = collapsers.collapser(key, batching, command);
            if (closed.get()) {
              closeAll();
              refuseIfClosed(key);
            }
            return made;
          } catch (RuntimeException | Error e) {
            if (!known) {
              boolean removed = remove(batchKey); // a command that was not asked for by itself
            }
            throw e;
          }
        });
  }

  private void refuseIfClosed(String key) {
    if (closed.get()) {
      throw new IllegalStateException("command " + key + " cannot be built: this Tenrec is closed");
    }
  }

  private Entry make(String key, Definition said, Consumer<CommandSettings> allowed) {
    if (commands.size() >= maxCommands) {
      throw new IllegalStateException(
          "command "
              + key
              + " cannot be built: there are "
              + commands.size()
              + " commands already, and maxCommands is "
              + maxCommands
              + ". A key stands for one dependency, not for one argument; remove(key) takes one"
              + " out.");
    }
    return maker.make(
        key,
        said,
        allowed,
        made -> {
          put(key, made);
          inventory.report(Inventory.COMMAND_ADDED, made.runtime);
        });
  }

  /** A map that runs out of memory may have it all the same. */
  private void put(String key, Entry made) {
    try {
      commands.put(key, made);
    } catch (Error e) {
      commands.remove(key);
      throw e;
    }
  }

  /**
   * Takes a command out, and the pool and the semaphore if no other command names them. False if
   * there is none.
   */
  public boolean remove(String key) {
    return configuration.inTurn(
        () -> {
          String commandKey = collapsers.commandOf(key);
          Entry removed = commands.remove(commandKey);
          if (removed == null) {
            return false;
          }
          removed.settings.close();
          removed.runtime.close();
          collapsers.remove(removed);
          inventory.report(Inventory.COMMAND_REMOVED, removed.runtime);
          try {
            leaving.add(new Object(), new WeakReference<>(removed.runtime));
          } finally { // also without memory for that
            maker.release(removed);
          }
          return true;
        });
  }

  /** The value in force of a property of what has this key; null if it is unset, or nothing has. */
  public <T> @Nullable T setting(Property<T> property, String key) {
    LiveSettings<?> live =
        switch (property.scope()) {
          case "command" -> settingsOf(commands.get(key));
          case "threadpool" -> pools.settings(key);
          case "collapser" -> collapsers.settings(key);
          default ->
              throw new IllegalArgumentException(
                  property + " belongs to no command, pool or collapser");
        };
    return live == null ? null : live.value(property);
  }

  private static @Nullable LiveSettings<?> settingsOf(@Nullable Entry entry) {
    return entry == null ? null : entry.settings();
  }

  /** Whether any call holds a permit, those of commands that were removed included. */
  public boolean hasCallsInFlight() {
    return Stream.concat(
            commands.values().stream().map(Entry::runtime),
            leaving.all().stream().map(WeakReference::get).flatMap(Stream::ofNullable))
        .anyMatch(runtime -> !runtime.isQuiet());
  }

  /** The commands that have calls in flight, removed ones included. */
  public List<CommandRuntime> withCallsInFlight() {
    return Stream.concat(
            commands.values().stream().map(Entry::runtime),
            leaving.all().stream().map(WeakReference::get).flatMap(Stream::ofNullable))
        .filter(Registry::isBusy)
        .toList();
  }

  private static boolean isBusy(@Nullable CommandRuntime runtime) {
    return runtime != null && runtime.inFlight() > 0;
  }

  /**
   * Nothing can be built from now on. {@link #closeAll} has to follow. Takes no memory, and no lock
   * of the configuration: a source of settings may block in it.
   *
   * @return false if that was so before
   */
  public boolean close() {
    return closed.compareAndSet(false, true);
  }

  /**
   * Every call that begins from now on is rejected. May find no memory; done again, it goes on.
   * Takes no lock of the configuration.
   */
  public void closeAll() {
    collapsers.close();
    commands.values().forEach(entry -> entry.runtime.close());
    semaphores.shut();
  }

  /** Reports all there is to the listener, and then what is added and removed, until closed. */
  public Subscription follow(InventoryListener listener) {
    return configuration.inTurn(
        () -> {
          Inventory.Follower follower = new Inventory.Follower(listener);
          Subscription following =
              () ->
                  configuration.inTurn(
                      () -> {
                        inventory.remove(follower);
                        return true;
                      });
          try {
            reportAll(follower);
            inventory.add(follower);
          } catch (RuntimeException | Error e) { // no memory: there is nothing to end it by
            follower.end();
            throw e;
          }
          return following;
        });
  }

  private void reportAll(Inventory.Follower follower) {
    commands
        .values()
        .forEach(entry -> inventory.report(follower, Inventory.COMMAND_ADDED, entry.runtime));
    pools.all().forEach(pool -> inventory.report(follower, Inventory.POOL_ADDED, pool.view()));
    collapsers
        .all()
        .forEach(entry -> inventory.report(follower, Inventory.COLLAPSER_ADDED, entry.view()));
    semaphores.all().forEach(view -> inventory.report(follower, Inventory.SEMAPHORE_ADDED, view));
    rateLimiters
        .all()
        .forEach(view -> inventory.report(follower, Inventory.RATE_LIMITER_ADDED, view));
    retryBudgets
        .all()
        .forEach(view -> inventory.report(follower, Inventory.RETRY_BUDGET_ADDED, view));
  }

  /** The command of this key; null if there is none. */
  public @Nullable Entry find(String key) {
    return commands.get(key);
  }

  /**
   * The key itself if there is a command of it, or nothing; of a collapser, its batches' command.
   */
  public String commandBehind(String key) {
    return commands.containsKey(key) ? key : collapsers.commandOf(key);
  }

  /** The shared semaphores there are. */
  public Collection<SemaphoreDetails> semaphores() {
    return configuration.inTurn(semaphores::all);
  }

  /** The shared rate limiters there are. */
  public Collection<RateLimiterDetails> rateLimiters() {
    return configuration.inTurn(rateLimiters::all);
  }

  /** The shared budgets of further attempts there are. */
  public Collection<RetryBudgetDetails> retryBudgets() {
    return configuration.inTurn(retryBudgets::all);
  }

  public Collection<Entry> commands() {
    return List.copyOf(commands.values());
  }

  public Collection<Collapsers.Entry> collapsers() {
    return collapsers.all();
  }

  public Collection<Pool> pools() {
    return pools.all();
  }

  /** Those, too, that were taken out and may still be at their last work. */
  public Collection<PoolRuntime> poolsAndRetired() {
    return pools.allAndRetired();
  }
}
