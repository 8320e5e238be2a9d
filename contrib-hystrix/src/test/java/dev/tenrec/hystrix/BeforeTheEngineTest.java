// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Tenrec;
import dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import dev.tenrec.hystrix.exception.HystrixRuntimeException;
import dev.tenrec.hystrix.kinds.FreshHystrix;
import dev.tenrec.hystrix.strategy.HystrixPlugins;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import dev.tenrec.hystrix.strategy.eventnotifier.HystrixEventNotifier;
import dev.tenrec.hystrix.strategy.executionhook.HystrixCommandExecutionHook;
import io.reactivex.rxjava3.core.Observable;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An execution that fails before the engine has it ends all the same, without an event. */
@ExtendWith(FreshHystrix.class)
class BeforeTheEngineTest {

  private enum Door {
    EXECUTE,
    QUEUE,
    OBSERVE,
    TO_OBSERVABLE;

    /** What it throws, or brings. */
    Throwable failureOf(HystrixCommand<String> command) {
      try {
        String answer =
            switch (this) {
              case EXECUTE -> command.execute();
              case QUEUE -> command.queue().get();
              case OBSERVE -> command.observe().blockingSingle();
              case TO_OBSERVABLE -> command.toObservable().blockingSingle();
            };
        throw new AssertionError(answer);
      } catch (ExecutionException later) {
        return later.getCause();
      } catch (Exception | NotNow now) {
        return now;
      }
    }
  }

  /** An error that nothing else throws. */
  private static final class NotNow extends Error {
    private static final long serialVersionUID = 1L;

    NotNow() {
      super("not now");
    }
  }

  private final String key = TestCommand.newKey();
  private final AtomicBoolean ran = new AtomicBoolean();

  private HystrixCommand<String> cached(Supplier<String> cacheKey) {
    return new HystrixCommand<>(
        TestCommand.setter(key, TestCommand.settings(ExecutionIsolationStrategy.THREAD))) {
      @Override
      protected String run() {
        ran.set(true);
        return "answer";
      }

      @Override
      protected String getFallback() {
        ran.set(true);
        return "fallback";
      }

      @Override
      protected String getCacheKey() {
        return cacheKey.get();
      }
    };
  }

  private void assertEndedWithoutAnEvent(AbstractCommand<?> command) {
    assertThat(command.isExecutionComplete()).as("complete").isTrue();
    assertThat(command.getExecutionEvents()).isEmpty();
    assertThat(command.getExecutionTimeInMilliseconds()).isEqualTo(-1);
    assertThat(command.isFailedExecution()).isFalse();
    assertThat(command.isSuccessfulExecution()).isFalse();
    assertThat(command.getMetrics().getCurrentConcurrentExecutionCount()).isZero();
    for (HystrixEventType event : HystrixEventType.values()) {
      assertThat(command.getMetrics().getCumulativeCount(event)).as(event.name()).isZero();
    }
    assertThat(ran).as("work or fallback ran").isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void request_thatIsMissing_endsTheExecution(Door door) {
    HystrixCommand<String> command = cached(() -> "one");

    assertThat(door.failureOf(command))
        .hasStackTraceContaining("HystrixRequestContext.initializeContext()");

    assertEndedWithoutAnEvent(command);
    assertThatThrownBy(command::execute)
        .isInstanceOf(HystrixRuntimeException.class)
        .hasMessageContaining("executed multiple times");
  }

  @ParameterizedTest
  @EnumSource
  void cacheKey_thatThrows_endsTheExecution(Door door) {
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      HystrixCommand<String> command =
          cached(
              () -> {
                throw new IllegalArgumentException("no key");
              });

      assertThat(door.failureOf(command)).hasStackTraceContaining("no key");

      assertEndedWithoutAnEvent(command);
      assertThat(HystrixRequestLog.getCurrentRequest().getExecutedCommandsAsString())
          .isEqualTo(key + "[Executed][0ms]");
    }
  }

  @ParameterizedTest
  @EnumSource
  void cacheKey_thatThrowsAnError_endsTheExecution(Door door) {
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      HystrixCommand<String> command =
          cached(
              () -> {
                throw new NotNow();
              });

      assertThat(door.failureOf(command)).isInstanceOf(NotNow.class);

      assertEndedWithoutAnEvent(command);
    }
  }

  /** Throws at each start until it is mended, and notes all that is heard after. */
  private static final class Broken extends HystrixCommandExecutionHook {

    private final List<String> heard = new CopyOnWriteArrayList<>();
    private volatile boolean mended;

    @Override
    public <T> void onStart(HystrixInvokable<T> command) {
      if (!mended) {
        throw new IllegalStateException("not now");
      }
    }

    @Override
    public <T> void onSuccess(HystrixInvokable<T> command) {
      heard.add("success");
    }

    @Override
    public <T> Exception onError(
        HystrixInvokable<T> command, HystrixRuntimeException.FailureType type, Exception e) {
      heard.add("error");
      return e;
    }

    @Override
    public <T> void onUnsubscribe(HystrixInvokable<T> command) {
      heard.add("unsubscribe");
    }
  }

  private final List<HystrixEventType> marked = new CopyOnWriteArrayList<>();

  private Broken register() {
    Broken broken = new Broken();
    HystrixPlugins.getInstance().registerCommandExecutionHook(broken);
    HystrixPlugins.getInstance()
        .registerEventNotifier(
            new HystrixEventNotifier() {
              @Override
              public void markEvent(HystrixEventType eventType, HystrixCommandKey of) {
                marked.add(eventType);
              }
            });
    return broken;
  }

  @ParameterizedTest
  @EnumSource
  void start_ofAHookThatThrows_endsTheExecution(Door door) {
    Broken broken = register();
    try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
      HystrixCommand<String> command = cached(() -> "one");

      assertThat(door.failureOf(command)).hasStackTraceContaining("not now");

      assertEndedWithoutAnEvent(command);
      assertThat(broken.heard).isEmpty();
      assertThat(marked).isEmpty();
      broken.mended = true;
      HystrixCommand<String> next = cached(() -> "one");
      assertThat(next.execute()).isEqualTo("answer");
      assertThat(next.isResponseFromCache()).isFalse();
    }
  }

  @Test
  void start_ofAnObservableCommand_endsTheExecution() {
    Broken broken = register();
    HystrixObservableCommand<String> command =
        new HystrixObservableCommand<>(HystrixCommandGroupKey.Factory.asKey(key)) {
          @Override
          protected Observable<String> construct() {
            ran.set(true);
            return Observable.just("never");
          }
        };

    command.toObservable().test().assertError(IllegalStateException.class);

    assertEndedWithoutAnEvent(command);
    assertThat(broken.heard).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void tenrec_thatIsClosed_endsAnInstanceThatWasMadeBefore(Door door) {
    HystrixCommand<String> command = cached(() -> null);
    try (Tenrec closed = HystrixTenrec.builder().build()) {
      HystrixTenrec.set(closed);
      closed.close();

      assertThat(door.failureOf(command)).hasStackTraceContaining("closed");

      assertThat(command.isExecutionComplete()).isTrue();
      assertThat(command.getExecutionEvents()).isEmpty();
      assertThat(ran).isFalse();
    }
  }
}
