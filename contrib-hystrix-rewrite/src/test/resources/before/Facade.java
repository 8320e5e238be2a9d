// SPDX-License-Identifier: Apache-2.0
package shop;

import com.netflix.hystrix.HystrixCommand;
import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixCommandKey;
import com.netflix.hystrix.HystrixCommandProperties;
import com.netflix.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import com.netflix.hystrix.HystrixThreadPoolKey;
import com.netflix.hystrix.strategy.concurrency.HystrixRequestContext;

/** A primary and a secondary behind a command on a semaphore. */
public class Facade extends HystrixCommand<String> {

  private final int id;
  private final boolean primary;

  public Facade(int id, boolean primary) {
    super(
        Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("System"))
            .andCommandKey(HystrixCommandKey.Factory.asKey("PrimarySecondary"))
            .andCommandPropertiesDefaults(
                HystrixCommandProperties.Setter()
                    .withExecutionIsolationStrategy(ExecutionIsolationStrategy.SEMAPHORE)));
    this.id = id;
    this.primary = primary;
  }

  @Override
  protected String run() {
    return primary ? new Primary(id).execute() : new Secondary(id).execute();
  }

  @Override
  protected String getFallback() {
    return "static fallback";
  }

  @Override
  protected String getCacheKey() {
    return String.valueOf(id);
  }

  private static class Primary extends HystrixCommand<String> {
    private final int id;

    Primary(int id) {
      super(
          com.netflix.hystrix.HystrixCommand.Setter.withGroupKey(
                  HystrixCommandGroupKey.Factory.asKey("System"))
              .andCommandKey(HystrixCommandKey.Factory.asKey("Primary"))
              .andThreadPoolKey(HystrixThreadPoolKey.Factory.asKey("Primary"))
              .andCommandPropertiesDefaults(
                  HystrixCommandProperties.Setter().withExecutionTimeoutInMilliseconds(3_000)));
      this.id = id;
    }

    @Override
    protected String run() {
      return "primary " + id;
    }
  }

  private static class Secondary extends HystrixCommand<String> {
    private final int id;

    Secondary(int id) {
      super(
          Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("System"))
              .andCommandKey(HystrixCommandKey.Factory.asKey("Secondary"))
              .andThreadPoolKey(HystrixThreadPoolKey.Factory.asKey("Secondary")));
      this.id = id;
    }

    @Override
    protected String run() {
      return "secondary " + id;
    }
  }

  public static String calls() {
    HystrixRequestContext request = HystrixRequestContext.initializeContext();
    try {
      return new Facade(1, true).execute() + ", " + new Facade(2, false).execute();
    } finally {
      request.shutdown();
    }
  }
}
