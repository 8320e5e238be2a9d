// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.hystrix.HystrixCommand;
import dev.tenrec.hystrix.HystrixCommandGroupKey;
import dev.tenrec.hystrix.HystrixCommandKey;
import dev.tenrec.hystrix.HystrixRequestCache;
import dev.tenrec.hystrix.HystrixRequestLog;
import dev.tenrec.hystrix.exception.HystrixRuntimeException;
import dev.tenrec.hystrix.strategy.concurrency.HystrixConcurrencyStrategyDefault;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One answer serves a request; a write takes it out. */
@ExtendWith(FreshHystrix.class)
class RequestCacheTest {

  private static volatile String stored = "at first ";

  static class Get extends HystrixCommand<String> {

    private static final HystrixCommandKey KEY = HystrixCommandKey.Factory.asKey("Get");
    private final int id;

    Get(int id) {
      super(
          Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("GetSetGet"))
              .andCommandKey(KEY));
      this.id = id;
    }

    @Override
    protected String run() {
      return stored + id;
    }

    @Override
    protected String getCacheKey() {
      return String.valueOf(id);
    }

    static void flushCache(int id) {
      HystrixRequestCache.getInstance(KEY, HystrixConcurrencyStrategyDefault.getInstance())
          .clear(String.valueOf(id));
    }
  }

  static class Set extends HystrixCommand<Void> {

    private final int id;
    private final String prefix;

    Set(int id, String prefix) {
      super(HystrixCommandGroupKey.Factory.asKey("GetSetGet"));
      this.id = id;
      this.prefix = prefix;
    }

    @Override
    protected Void run() {
      stored = prefix;
      Get.flushCache(id);
      return null;
    }
  }

  @Test
  void execute_withAnEqualKeyInARequest_answersFromTheCache() {
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Get first = new Get(2);
      Get second = new Get(2);

      assertThat(first.execute()).isEqualTo(second.execute());
      assertThat(first.isResponseFromCache()).isFalse();
      assertThat(second.isResponseFromCache()).isTrue();
      assertThat(second.isExecutedInThread()).isFalse();
      assertThat(second.getExecutionTimeInMilliseconds()).isEqualTo(-1);
      assertThat(HystrixRequestLog.getCurrentRequest().getExecutedCommandsAsString())
          .matches("Get\\[SUCCESS]\\[\\d+ms], Get\\[SUCCESS, RESPONSE_FROM_CACHE]\\[0ms]");
    }
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Get third = new Get(2);

      third.execute();
      assertThat(third.isResponseFromCache()).isFalse();
    }
  }

  @Test
  void observeAndQueue_withAnEqualKey_answerFromTheCache() throws Exception {
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      Get first = new Get(3);
      Get second = new Get(3);
      Get third = new Get(3);

      assertThat(first.observe().blockingSingle()).isEqualTo(second.queue().get());
      third.toObservable().blockingSubscribe();
      assertThat(second.isResponseFromCache()).isTrue();
      assertThat(third.isResponseFromCache()).isTrue();
    }
  }

  @Test
  void clear_afterAWrite_makesTheNextGetRunAnew() {
    stored = "at first ";
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      assertThat(new Get(1).execute()).isEqualTo("at first 1");
      Get fromCache = new Get(1);
      assertThat(fromCache.execute()).isEqualTo("at first 1");
      assertThat(fromCache.isResponseFromCache()).isTrue();

      new Set(1, "then ").execute();

      Get again = new Get(1);
      assertThat(again.execute()).isEqualTo("then 1");
      assertThat(again.isResponseFromCache()).isFalse();
    }
  }

  /** The key of a command that shares nothing. */
  @Test
  void clear_ofNoKey_doesNothing() {
    HystrixRequestCache cache =
        HystrixRequestCache.getInstance(Get.KEY, HystrixConcurrencyStrategyDefault.getInstance());
    cache.clear(null); // nor does it need a request
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      new Get(4).execute();

      cache.clear(null);

      Get again = new Get(4);
      again.execute();
      assertThat(again.isResponseFromCache()).isTrue();
    }
  }

  @Test
  void execute_withACacheKeyAndNoRequest_saysWhatToDo() {
    assertThatThrownBy(() -> new Get(1).execute())
        .isInstanceOf(HystrixRuntimeException.class)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("initializeContext");
    assertThatThrownBy(() -> new Get(1).queue().get())
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new Get(1).toObservable().blockingSingle())
        .isInstanceOf(IllegalStateException.class);
  }
}
