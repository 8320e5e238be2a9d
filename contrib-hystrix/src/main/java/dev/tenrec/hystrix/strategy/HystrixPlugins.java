// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy;

import dev.tenrec.hystrix.strategy.concurrency.HystrixConcurrencyStrategy;
import dev.tenrec.hystrix.strategy.concurrency.HystrixConcurrencyStrategyDefault;
import dev.tenrec.hystrix.strategy.eventnotifier.HystrixEventNotifier;
import dev.tenrec.hystrix.strategy.eventnotifier.HystrixEventNotifierDefault;
import dev.tenrec.hystrix.strategy.executionhook.HystrixCommandExecutionHook;
import dev.tenrec.hystrix.strategy.executionhook.HystrixCommandExecutionHookDefault;
import dev.tenrec.hystrix.strategy.metrics.HystrixMetricsPublisher;
import dev.tenrec.hystrix.strategy.metrics.HystrixMetricsPublisherDefault;
import org.jspecify.annotations.Nullable;

/**
 * What is registered for all commands of this package in this process: one of each kind. Executions
 * that begin from then on use it. Thread-safe.
 *
 * <p>What is not registered is looked for once: the class that the system property {@code
 * hystrix.plugin.<simple name of the type>.implementation} names, made by its constructor without
 * parameters; else what a service loader finds; else one that does nothing. To ask for one does not
 * keep another from being registered.
 */
public final class HystrixPlugins {

  private static volatile HystrixPlugins instance = new HystrixPlugins();

  private final Plugin<HystrixEventNotifier> notifier =
      new Plugin<>(HystrixEventNotifier.class, HystrixEventNotifierDefault.getInstance());
  private final Plugin<HystrixConcurrencyStrategy> strategy =
      new Plugin<>(
          HystrixConcurrencyStrategy.class, HystrixConcurrencyStrategyDefault.getInstance());
  private final Plugin<HystrixCommandExecutionHook> hook =
      new Plugin<>(
          HystrixCommandExecutionHook.class, HystrixCommandExecutionHookDefault.getInstance());

  private final Plugin<HystrixMetricsPublisher> publisher =
      new Plugin<>(HystrixMetricsPublisher.class, HystrixMetricsPublisherDefault.getInstance());

  private HystrixPlugins() {}

  /** Those in force. */
  public static HystrixPlugins getInstance() {
    return instance;
  }

  /** Forgets all of them: others may be registered. Executions in flight keep theirs. */
  public static void reset() {
    instance = new HystrixPlugins();
  }

  /** The notifier; one that does nothing if none is registered. */
  public HystrixEventNotifier getEventNotifier() {
    return notifier.get();
  }

  /**
   * Registers a notifier.
   *
   * @throws IllegalStateException if one is registered
   */
  public void registerEventNotifier(HystrixEventNotifier impl) {
    notifier.register(impl);
  }

  /** The strategy; one that wraps nothing if none is registered. */
  public HystrixConcurrencyStrategy getConcurrencyStrategy() {
    return strategy.get();
  }

  /**
   * Registers a strategy.
   *
   * @throws IllegalStateException if one is registered
   */
  public void registerConcurrencyStrategy(HystrixConcurrencyStrategy impl) {
    strategy.register(impl);
  }

  /** The hook; one that does nothing if none is registered. */
  public HystrixCommandExecutionHook getCommandExecutionHook() {
    return hook.get();
  }

  /**
   * Registers a hook.
   *
   * @throws IllegalStateException if one is registered
   */
  public void registerCommandExecutionHook(HystrixCommandExecutionHook impl) {
    hook.register(impl);
  }

  /** The publisher of metrics; one that publishes nothing if none is registered. */
  public HystrixMetricsPublisher getMetricsPublisher() {
    return publisher.get();
  }

  /**
   * Registers a publisher of metrics, for what is not known yet.
   *
   * @throws IllegalStateException if one is registered
   */
  public void registerMetricsPublisher(HystrixMetricsPublisher impl) {
    publisher.register(impl);
  }

  /** One kind. */
  private static final class Plugin<T> {

    private final Class<T> type;
    private final T otherwise;

    /** Null until it is asked for or registered. Written under this object's lock. */
    private volatile @Nullable T present;

    /** Written and read under this object's lock. */
    private boolean registered;

    Plugin(Class<T> type, T otherwise) {
      this.type = type;
      this.otherwise = otherwise;
    }

    T get() {
      T known = present;
      return known != null ? known : find();
    }

    private synchronized T find() {
      T known = present;
      if (known == null) {
        T found = NamedPlugin.find(type);
        registered = found != null;
        present = known = found != null ? found : otherwise;
      }
      return known;
    }

    synchronized void register(T impl) {
      if (registered) {
        throw new IllegalStateException(
            "Another strategy was already registered. It is a "
                + get().getClass().getName()
                + "; HystrixPlugins.reset() takes it away");
      }
      registered = impl != otherwise; // that is what stands there anyway
      present = impl;
    }
  }
}
