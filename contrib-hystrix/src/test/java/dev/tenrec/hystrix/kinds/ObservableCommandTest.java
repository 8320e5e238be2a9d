// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.hystrix.HystrixCommandGroupKey;
import dev.tenrec.hystrix.HystrixEventType;
import dev.tenrec.hystrix.HystrixObservableCommand;
import dev.tenrec.hystrix.exception.HystrixRuntimeException;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.observers.TestObserver;
import io.reactivex.rxjava3.schedulers.Schedulers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A command that brings several items, and one that goes on where it stopped. */
@ExtendWith(FreshHystrix.class)
class ObservableCommandTest {

  private static final HystrixCommandGroupKey GROUP = HystrixCommandGroupKey.Factory.asKey("Words");

  static class Words extends HystrixObservableCommand<String> {

    private final String name;

    Words(String name) {
      super(GROUP);
      this.name = name;
    }

    @Override
    protected Observable<String> construct() {
      return Observable.just("Hello", name).subscribeOn(Schedulers.io());
    }
  }

  static class Interrupted extends HystrixObservableCommand<Integer> {

    private final boolean resumes;

    Interrupted(boolean resumes) {
      super(GROUP);
      this.resumes = resumes;
    }

    @Override
    protected Observable<Integer> construct() {
      return Observable.just(1, 2).concatWith(Observable.error(new RuntimeException("cut")));
    }

    @Override
    protected Observable<Integer> resumeWithFallback() {
      return resumes ? Observable.just(3, 4, 5) : super.resumeWithFallback();
    }
  }

  @Test
  void observe_always_bringsAllItems() {
    Words command = new Words("Ada");

    assertThat(command.observe().toList().blockingGet()).containsExactly("Hello", "Ada");
    assertThat(command.getExecutionEvents())
        .containsExactly(HystrixEventType.EMIT, HystrixEventType.SUCCESS);
    assertThat(command.getNumberEmissions()).isEqualTo(2);
  }

  @Test
  void toObservable_whenTheSourceFails_goesOnWithTheFallback() {
    Interrupted command = new Interrupted(true);

    assertThat(command.toObservable().toList().blockingGet()).containsExactly(1, 2, 3, 4, 5);
    assertThat(command.getExecutionEvents())
        .containsExactly(
            HystrixEventType.EMIT,
            HystrixEventType.FAILURE,
            HystrixEventType.FALLBACK_EMIT,
            HystrixEventType.FALLBACK_SUCCESS);
    assertThat(command.getNumberEmissions()).isEqualTo(2);
    assertThat(command.getNumberFallbackEmissions()).isEqualTo(3);
  }

  @Test
  void toObservable_withoutAFallback_endsInTheError() {
    Interrupted command = new Interrupted(false);
    TestObserver<Integer> observer = command.toObservable().test();

    observer.assertValues(1, 2).assertError(HystrixRuntimeException.class);
    assertThat(command.getExecutionEvents())
        .containsExactly(
            HystrixEventType.EMIT, HystrixEventType.FAILURE, HystrixEventType.FALLBACK_MISSING);
    assertThat(command.getFailedExecutionException()).hasMessage("cut");
    assertThat(command.getMetrics().getRollingCount(HystrixEventType.FALLBACK_MISSING)).isOne();
  }

  @Test
  void toObservable_secondSubscriber_isRefused() {
    Words command = new Words("Bob");
    command.toObservable().blockingSubscribe();

    command
        .toObservable()
        .test()
        .assertError(thrown -> thrown.getCause() instanceof IllegalStateException);
  }
}
