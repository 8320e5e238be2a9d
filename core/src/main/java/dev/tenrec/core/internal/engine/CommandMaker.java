// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.config.CommandSettings;
import dev.tenrec.core.internal.config.Configuration;
import dev.tenrec.core.internal.config.LiveSettings;
import dev.tenrec.core.internal.config.PreparedChange;
import dev.tenrec.core.internal.config.SettingsOwner;
import dev.tenrec.core.internal.gate.Bulkheads;
import dev.tenrec.core.internal.gate.RateGate;
import dev.tenrec.core.internal.gate.SharedSemaphore;
import dev.tenrec.core.internal.launch.PoolRuntime;
import dev.tenrec.core.internal.launch.VirtualStarter;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes commands on what their code names: a pool, a shared semaphore, a shared rate limiter,
 * shared budgets; and releases what a removed command named. Under the configuration's lock only.
 */
final class CommandMaker {

  private final Engine engine;
  private final Configuration configuration;
  private final VirtualStarter virtual;
  private final Pools pools;
  private final Semaphores semaphores;
  private final RateLimiters rateLimiters;
  private final RetryBudgets retryBudgets;

  /** One for all commands. */
  private final Function<String, PoolRuntime> poolOf;

  CommandMaker(
      Engine engine,
      Configuration configuration,
      VirtualStarter virtual,
      Pools pools,
      Semaphores semaphores,
      RateLimiters rateLimiters,
      RetryBudgets retryBudgets) {
    this.engine = engine;
    this.configuration = configuration;
    this.virtual = virtual;
    this.pools = pools;
    this.semaphores = semaphores;
    this.rateLimiters = rateLimiters;
    this.retryBudgets = retryBudgets;
    this.poolOf = pools::pool;
  }

  /**
   * Makes a command. What fails is undone: what was refused binds no other command.
   *
   * @param allowed throws if there can be no command with these settings in force
   * @param known is given the command as the last step
   */
  Registry.Entry make(
      String key,
      Definition said,
      Consumer<CommandSettings> allowed,
      Consumer<Registry.Entry> known) {
    Definition definition = said.with(configuration.shared(said.command()));
    Owner owner = new Owner(definition);
    Claims claims = new Claims(definition);
    try {
      LiveSettings<CommandSettings> settings =
          configuration.command(key, definition.command(), owner);
      claims.settings = settings;
      allowed.accept(settings.current());
      SharedSemaphore shared = semaphores.share(definition.semaphore());
      claims.semaphore = true;
      RateGate sharedRate = rateLimiters.share(definition.rateLimiter());
      claims.rateLimiter = true;
      boolean changesPool = pools.claim(definition.poolKey(), definition.pool());
      claims.pool = true;
      String poolKey = definition.poolKey(settings.current());
      pools.name(poolKey);
      claims.named = poolKey;
      Bulkheads bulkheads =
          new Bulkheads(
              key, definition.poolKey(), shared, sharedRate, poolOf, virtual, engine.closing());
      CommandRuntime runtime =
          new CommandRuntime(
              key,
              definition.group(),
              engine,
              bulkheads,
              settings.current(),
              settings,
              definition.stackTraces());
      owner.runtime = runtime;
      SharedBudgets budgets = retryBudgets.share(definition, runtime);
      claims.budgets = runtime;
      Registry.Entry entry = new Registry.Entry(definition, runtime, settings, budgets);
      if (changesPool) { // now that nothing is refused any more: others may use it
        pools.goBy(definition.poolKey(), definition.pool());
      }
      known.accept(entry);
      return entry;
    } catch (RuntimeException | Error e) {
      claims.giveBack();
      throw e;
    }
  }

  /** Releases what a removed command named. */
  void release(Registry.Entry removed) {
    Definition definition = removed.definition();
    pools.release(definition.poolKey(removed.runtime().settings()));
    pools.disclaim(definition.poolKey(), definition.pool());
    semaphores.release(definition.semaphore());
    rateLimiters.release(definition.rateLimiter());
    retryBudgets.release(definition, removed.runtime());
  }

  /** What has been taken for a command that is being made. Noted without memory. */
  private final class Claims {

    private final Definition definition;
    private @Nullable LiveSettings<CommandSettings> settings;
    private boolean semaphore;
    private boolean rateLimiter;
    private boolean pool;

    /** The pool it runs on. */
    private @Nullable String named;

    /** What shares the budgets. */
    private @Nullable CommandRuntime budgets;

    Claims(Definition definition) {
      this.definition = definition;
    }

    /** The command comes to nothing. The last first. */
    void giveBack() {
      if (budgets != null) {
        retryBudgets.release(definition, budgets);
      }
      if (named != null) {
        pools.release(named);
      }
      if (pool) {
        pools.disclaim(definition.poolKey(), definition.pool());
      }
      if (rateLimiter) {
        rateLimiters.release(definition.rateLimiter());
      }
      if (semaphore) {
        semaphores.release(definition.semaphore());
      }
      if (settings != null) {
        settings.close();
      }
    }
  }

  /**
   * Has a command go by changed settings, on another pool if they say so. Under the configuration's
   * lock.
   */
  private final class Owner implements SettingsOwner<CommandSettings> {

    private final Definition definition;

    /**
     * Written once it is made: settings change under the configuration's lock only, so not before.
     */
    private @Nullable CommandRuntime runtime;

    Owner(Definition definition) {
      this.definition = definition;
    }

    @Override
    public void take(CommandSettings changed) {
      prepare(changed).apply();
    }

    @Override
    public PreparedChange prepare(CommandSettings changed) {
      CommandRuntime owned = Objects.requireNonNull(runtime, "settings changed before it was made");
      String left = definition.poolKey(owned.settings());
      String next = definition.poolKey(changed);
      if (left.equals(next)) {
        return owned.prepare(changed);
      }
      pools.name(next); // a pool that is made now, and then not used, goes with it
      try {
        return new OtherPool(left, next, owned.prepare(changed));
      } catch (RuntimeException | Error e) {
        pools.release(next);
        throw e;
      }
    }
  }

  /** A change of a command's settings that takes it to another pool. */
  private final class OtherPool implements PreparedChange {

    private final String left;
    private final String next;
    private final PreparedChange change;

    OtherPool(String left, String next, PreparedChange change) {
      this.left = left;
      this.next = next;
      this.change = change;
    }

    @Override
    public void apply() {
      try {
        change.apply();
      } catch (RuntimeException | Error e) {
        pools.release(next);
        throw e;
      }
      pools.release(left);
    }

    @Override
    public void discard() {
      change.discard();
      pools.release(next);
    }
  }
}
