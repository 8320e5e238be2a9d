// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.hystrix.HystrixCommand;
import dev.tenrec.hystrix.HystrixCommandGroupKey;
import dev.tenrec.hystrix.HystrixCommandKey;
import dev.tenrec.hystrix.HystrixCommandProperties;
import dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import dev.tenrec.hystrix.HystrixThreadPoolKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A facade on a semaphore chooses between two commands, each on a pool. */
@ExtendWith(FreshHystrix.class)
class PrimarySecondaryTest {

  private static final HystrixCommandGroupKey GROUP =
      HystrixCommandGroupKey.Factory.asKey("System");

  static class Facade extends HystrixCommand<String> {

    private final boolean usesPrimary;
    private final int id;

    Facade(boolean usesPrimary, int id) {
      super(
          Setter.withGroupKey(GROUP)
              .andCommandKey(HystrixCommandKey.Factory.asKey("PrimarySecondary"))
              .andCommandPropertiesDefaults(
                  HystrixCommandProperties.Setter()
                      .withExecutionIsolationStrategy(ExecutionIsolationStrategy.SEMAPHORE)));
      this.usesPrimary = usesPrimary;
      this.id = id;
    }

    @Override
    protected String run() {
      return usesPrimary ? new Primary(id).execute() : new Secondary(id).execute();
    }

    @Override
    protected String getFallback() {
      return "static-fallback-" + id;
    }

    @Override
    protected String getCacheKey() {
      return null;
    }
  }

  static class Primary extends HystrixCommand<String> {

    private final int id;

    Primary(int id) {
      super(
          Setter.withGroupKey(GROUP)
              .andCommandKey(HystrixCommandKey.Factory.asKey("Primary"))
              .andThreadPoolKey(HystrixThreadPoolKey.Factory.asKey("Primary"))
              .andCommandPropertiesDefaults(
                  HystrixCommandProperties.Setter().withExecutionTimeoutInMilliseconds(40_000)));
      this.id = id;
    }

    @Override
    protected String run() {
      return "from primary " + id;
    }
  }

  static class Secondary extends HystrixCommand<String> {

    private final int id;

    Secondary(int id) {
      super(
          Setter.withGroupKey(GROUP)
              .andCommandKey(HystrixCommandKey.Factory.asKey("Secondary"))
              .andThreadPoolKey(HystrixThreadPoolKey.Factory.asKey("Secondary")));
      this.id = id;
    }

    @Override
    protected String run() {
      if (id < 0) {
        throw new IllegalArgumentException("id " + id);
      }
      return "from secondary " + id;
    }
  }

  @Test
  void execute_always_asksTheChosenOne() {
    assertThat(new Facade(true, 20).execute()).isEqualTo("from primary 20");
    assertThat(new Facade(false, 20).execute()).isEqualTo("from secondary 20");
  }

  @Test
  void execute_whenTheChosenOneFails_fallsBack() {
    Facade facade = new Facade(false, -1);

    assertThat(facade.execute()).isEqualTo("static-fallback--1");
    assertThat(facade.isExecutedInThread()).isFalse();
    assertThat(facade.getFailedExecutionException()).hasMessageContaining("Secondary failed");
  }
}
