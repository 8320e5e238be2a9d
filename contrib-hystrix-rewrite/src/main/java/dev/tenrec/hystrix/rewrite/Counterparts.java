// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.rewrite;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which types of Hystrix and RxJava 1 have a counterpart, and what to do about those without. */
final class Counterparts {

  static final String HYSTRIX = "com.netflix.hystrix.";
  private static final String JAVANICA = HYSTRIX + "contrib.javanica.";

  /** What {@code dev.tenrec.hystrix} has, by the names below the root. */
  static final Set<String> MOVED =
      Set.of(
          "AbstractCommand",
          "ExecutionResult",
          "Hystrix",
          "HystrixCircuitBreaker",
          "HystrixCollapser",
          "HystrixCollapserKey",
          "HystrixCollapserMetrics",
          "HystrixCollapserProperties",
          "HystrixCommand",
          "HystrixCommandGroupKey",
          "HystrixCommandKey",
          "HystrixCommandMetrics",
          "HystrixCommandProperties",
          "HystrixCounters",
          "HystrixEventType",
          "HystrixExecutable",
          "HystrixInvokable",
          "HystrixInvokableInfo",
          "HystrixKey",
          "HystrixMetrics",
          "HystrixObservable",
          "HystrixObservableCollapser",
          "HystrixObservableCommand",
          "HystrixRequestCache",
          "HystrixRequestLog",
          "HystrixThreadPoolKey",
          "HystrixThreadPoolMetrics",
          "HystrixThreadPoolProperties",
          "exception.ExceptionNotWrappedByHystrix",
          "exception.HystrixBadRequestException",
          "exception.HystrixRuntimeException",
          "exception.HystrixTimeoutException",
          "strategy.HystrixPlugins",
          "strategy.concurrency.HystrixConcurrencyStrategy",
          "strategy.concurrency.HystrixConcurrencyStrategyDefault",
          "strategy.concurrency.HystrixContextCallable",
          "strategy.concurrency.HystrixContextRunnable",
          "strategy.concurrency.HystrixContextScheduler",
          "strategy.concurrency.HystrixLifecycleForwardingRequestVariable",
          "strategy.concurrency.HystrixRequestContext",
          "strategy.concurrency.HystrixRequestVariable",
          "strategy.concurrency.HystrixRequestVariableDefault",
          "strategy.concurrency.HystrixRequestVariableHolder",
          "strategy.concurrency.HystrixRequestVariableLifecycle",
          "strategy.eventnotifier.HystrixEventNotifier",
          "strategy.eventnotifier.HystrixEventNotifierDefault",
          "strategy.executionhook.HystrixCommandExecutionHook",
          "strategy.executionhook.HystrixCommandExecutionHookDefault",
          "strategy.metrics.HystrixMetricsPublisher",
          "strategy.metrics.HystrixMetricsPublisherCollapser",
          "strategy.metrics.HystrixMetricsPublisherCollapserDefault",
          "strategy.metrics.HystrixMetricsPublisherCommand",
          "strategy.metrics.HystrixMetricsPublisherCommandDefault",
          "strategy.metrics.HystrixMetricsPublisherDefault",
          "strategy.metrics.HystrixMetricsPublisherThreadPool",
          "strategy.metrics.HystrixMetricsPublisherThreadPoolDefault",
          "strategy.properties.HystrixProperty",
          "util.HystrixRollingNumberEvent");

  /** What the recipe for annotations renames. */
  private static final Set<String> OF_JAVANICA =
      Set.of(
          "annotation.HystrixCommand",
          "annotation.HystrixProperty",
          "annotation.HystrixCollapser",
          "annotation.DefaultProperties",
          "cache.annotation.CacheResult",
          "cache.annotation.CacheRemove",
          "cache.annotation.CacheKey",
          "conf.HystrixPropertiesManager",
          // seen to by their uses
          "annotation.ObservableExecutionMode",
          "annotation.HystrixException",
          "command.AsyncResult");

  /** What the recipe for RxJava renames. */
  private static final Set<String> OF_RXJAVA =
      Set.of(
          "rx.Observable",
          "rx.Observable$OnSubscribe",
          "rx.Single",
          "rx.Completable",
          "rx.Observer",
          "rx.Subscription",
          "rx.Scheduler",
          "rx.schedulers.Schedulers",
          "rx.subjects.PublishSubject",
          "rx.subjects.ReplaySubject",
          "rx.subjects.BehaviorSubject",
          "rx.subjects.AsyncSubject",
          "rx.functions.Action0",
          "rx.functions.Action1",
          "rx.functions.Func0",
          "rx.functions.Func1",
          "rx.functions.Func2",
          // seen to by their uses
          "rx.Subscriber",
          "rx.observables.BlockingObservable",
          "rx.singles.BlockingSingle");

  /** By the beginning of a name, the longest first. */
  private static final Map<String, String> ADVICE = new LinkedHashMap<>();

  static {
    ADVICE.put(
        JAVANICA + "aop.",
        "no aspect is needed: Boot's auto-configuration or @EnableCommands does it");
    ADVICE.put(
        HYSTRIX + "contrib.requestservlet.",
        "a filter that calls HystrixRequestContext.initializeContext() and shutdown()");
    ADVICE.put(
        HYSTRIX + "contrib.", "no counterpart; streams are in tenrec-contrib-hystrix-stream");
    ADVICE.put(HYSTRIX + "strategy.properties.", "HystrixTenrec.builder().source(..)");
    ADVICE.put(
        HYSTRIX + "strategy.metrics.",
        "no counterpart: the registered publisher is asked by itself");
    ADVICE.put(HYSTRIX + "metric.", "HystrixTenrec.get().snapshots(), or views");
    ADVICE.put(HYSTRIX + "config.", "HystrixTenrec.get().resolvedSettings()");
    ADVICE.put(HYSTRIX + "HystrixThreadPool", "the gauges of HystrixThreadPoolMetrics");
    ADVICE.put(HYSTRIX + "HystrixTimerThreadPoolProperties", "no counterpart: leave it out");
    ADVICE.put(HYSTRIX, "no counterpart: see docs/migration.md");
    ADVICE.put("rx.Subscriber", "an Observer, a DisposableObserver or an ObservableEmitter");
    ADVICE.put("rx.", "not moved: RxJava 3 has its own, or keep RxJava 1 beside it");
  }

  private Counterparts() {}

  /** What to do about a type; null if it is moved, or is none of Hystrix or RxJava 1. */
  static @Nullable String adviceFor(String type) {
    if (type.startsWith(JAVANICA)
        ? OF_JAVANICA.contains(owner(type.substring(JAVANICA.length())))
        : type.startsWith(HYSTRIX) && MOVED.contains(owner(type.substring(HYSTRIX.length())))) {
      return null;
    }
    if (OF_RXJAVA.contains(type)) {
      return null;
    }
    for (Map.Entry<String, String> advice : ADVICE.entrySet()) {
      if (type.startsWith(advice.getKey())) {
        return owner(type).substring(owner(type).lastIndexOf('.') + 1) + ": " + advice.getValue();
      }
    }
    return null;
  }

  /** The outermost type. */
  static String owner(String type) {
    int nested = type.indexOf('$');
    return nested < 0 ? type : type.substring(0, nested);
  }
}
