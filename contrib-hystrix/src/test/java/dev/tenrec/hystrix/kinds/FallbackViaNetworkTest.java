// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.hystrix.HystrixCommand;
import dev.tenrec.hystrix.HystrixCommandGroupKey;
import dev.tenrec.hystrix.HystrixCommandKey;
import dev.tenrec.hystrix.HystrixEventType;
import dev.tenrec.hystrix.HystrixInvokableInfo;
import dev.tenrec.hystrix.HystrixRequestLog;
import dev.tenrec.hystrix.HystrixThreadPoolKey;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import java.util.Iterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A fallback that goes over the network is a command of its own, on a pool of its own. */
@ExtendWith(FreshHystrix.class)
class FallbackViaNetworkTest {

  static class RemoteValue extends HystrixCommand<String> {

    private final int id;

    RemoteValue(int id) {
      super(
          Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("Remote"))
              .andCommandKey(HystrixCommandKey.Factory.asKey("GetValue")));
      this.id = id;
    }

    @Override
    protected String run() {
      throw new RuntimeException("the service is down");
    }

    @Override
    protected String getFallback() {
      return new FromMirror(id).execute();
    }
  }

  static class FromMirror extends HystrixCommand<String> {

    private final int id;

    FromMirror(int id) {
      super(
          Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("Remote"))
              .andCommandKey(HystrixCommandKey.Factory.asKey("GetValueFromMirror"))
              .andThreadPoolKey(HystrixThreadPoolKey.Factory.asKey("RemoteFallback")));
      this.id = id;
    }

    @Override
    protected String run() {
      throw new RuntimeException("so is the mirror for " + id);
    }

    @Override
    protected String getFallback() {
      return null;
    }
  }

  @Test
  void execute_whenBothFail_answersNullAndLogsBoth() {
    HystrixRequestContext request = HystrixRequestContext.initializeContext();
    try {
      assertThat(new RemoteValue(1).execute()).isNull();

      Iterator<HystrixInvokableInfo<?>> executed =
          HystrixRequestLog.getCurrentRequest().getAllExecutedCommands().iterator();
      HystrixInvokableInfo<?> first = executed.next();
      assertThat(first.getCommandKey().name()).isEqualTo("GetValue");
      assertThat(first.getExecutionEvents())
          .containsExactly(HystrixEventType.FAILURE, HystrixEventType.FALLBACK_SUCCESS);
      HystrixInvokableInfo<?> second = executed.next();
      assertThat(second.getCommandKey().name()).isEqualTo("GetValueFromMirror");
      assertThat(second.getThreadPoolKey().name()).isEqualTo("RemoteFallback");
      assertThat(second.getExecutionEvents())
          .containsExactly(HystrixEventType.FAILURE, HystrixEventType.FALLBACK_SUCCESS);
      assertThat(executed.hasNext()).isFalse();
    } finally {
      request.shutdown();
    }
  }
}
