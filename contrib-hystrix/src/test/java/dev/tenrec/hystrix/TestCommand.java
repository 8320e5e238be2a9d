// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.Tenrec;
import dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import dev.tenrec.metrics.time.ManualTime;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A command whose parts are given; each test has a key of its own. */
class TestCommand extends HystrixCommand<String> {

  private static final AtomicInteger KEYS = new AtomicInteger();

  private final Callable<String> work;
  private final Supplier<String> fallback;

  private TestCommand(Setter setter, Callable<String> work, Supplier<String> fallback) {
    super(setter);
    this.work = work;
    this.fallback = fallback;
  }

  static String newKey() {
    return "Test-" + KEYS.incrementAndGet();
  }

  static HystrixCommandProperties.Setter settings(ExecutionIsolationStrategy strategy) {
    return new HystrixCommandProperties.Setter()
        .withExecutionIsolationStrategy(strategy)
        .withExecutionTimeoutInMilliseconds(30_000)
        .withMetricsHealthSnapshotIntervalInMilliseconds(10);
  }

  /** What stands behind the commands from now on, until it is closed: by this time. */
  static Tenrec livesBy(ManualTime time) {
    Tenrec tenrec = HystrixTenrec.builder().time(time, time).build();
    HystrixTenrec.set(tenrec);
    return tenrec;
  }

  static Setter setter(String key, HystrixCommandProperties.Setter settings) {
    return Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("Group of " + key))
        .andCommandKey(HystrixCommandKey.Factory.asKey(key))
        .andCommandPropertiesDefaults(settings);
  }

  /** Without a fallback. */
  static HystrixCommand<String> of(Setter setter, Callable<String> work) {
    return new HystrixCommand<>(setter) {
      @Override
      protected String run() throws Exception {
        return work.call();
      }
    };
  }

  static HystrixCommand<String> of(
      Setter setter, Callable<String> work, Supplier<String> fallback) {
    return new TestCommand(setter, work, fallback);
  }

  @Override
  protected String run() throws Exception {
    return work.call();
  }

  @Override
  protected String getFallback() {
    return fallback.get();
  }
}
