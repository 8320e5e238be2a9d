// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.StreamCommandBuilder;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The technology compatibility kit of Reactive Streams, on both sides of a stream command. What it
 * can find out has to hold, the optional rules included; what it cannot, it skips, and nothing
 * else.
 */
class StreamTckTest {

  private static final int OF_A_PUBLISHER = 38;
  private static final int OF_A_BLACK_BOX = 26;
  private static final int OF_A_WHITE_BOX = 27;

  /** Items come within the asking, on the subscriber's thread. */
  static final class OfSource extends StreamPublisherVerification {}

  /** Items come on another thread, which a pool's thread lets begin. */
  static final class OfAsyncSource extends StreamPublisherVerification {

    @Override
    Flowable<Long> items(long elements) {
      return super.items(elements).subscribeOn(Schedulers.computation());
    }

    @Override
    StreamCommand<Long, Long> build(StreamCommandBuilder<Long, Long> builder) {
      return builder
          .isolation(Isolation.threadPool().coreSize(2).queueSize(10_000))
          .withoutTimeout()
          .build();
    }
  }

  /** The source fails half-way, and its fallback brings the rest. */
  static final class OfFallback extends StreamPublisherVerification {

    @Override
    Flowable<Long> items(long elements) {
      return super.items(elements / 2).concatWith(Flowable.error(new IOException("half of it")));
    }

    @Override
    StreamCommand<Long, Long> build(StreamCommandBuilder<Long, Long> builder) {
      return super.build(
          builder
              .withoutCircuitBreaker()
              .fallbackLimit(10_000)
              .fallback((elements, cause) -> rest(elements, cause)));
    }

    private Flowable<Long> rest(long elements, Throwable cause) throws IOException {
      if (!"half of it".equals(cause.getMessage())) {
        throw new IOException("no fallback either");
      }
      return Flowable.rangeLong(elements / 2, elements - elements / 2);
    }
  }

  /** Items come on another thread than they are asked for on, and both limits are watched. */
  static final class OfSourceWithLimits extends StreamPublisherVerification {

    @Override
    Flowable<Long> items(long elements) {
      return super.items(elements).observeOn(Schedulers.computation());
    }

    @Override
    StreamCommand<Long, Long> build(StreamCommandBuilder<Long, Long> builder) {
      return builder
          .isolation(Isolation.semaphore(10_000))
          .timeout(Duration.ofMinutes(10))
          .betweenItemsTimeout(Duration.ofMinutes(10))
          .build();
    }
  }

  @TestFactory
  Stream<DynamicTest> publisher_ofASource() {
    return run(OfSource.class, OF_A_PUBLISHER);
  }

  @TestFactory
  Stream<DynamicTest> publisher_ofAnAsyncSource() {
    return run(OfAsyncSource.class, OF_A_PUBLISHER);
  }

  @TestFactory
  Stream<DynamicTest> publisher_ofASourceWithLimits() {
    return run(OfSourceWithLimits.class, OF_A_PUBLISHER);
  }

  @TestFactory
  Stream<DynamicTest> publisher_ofAFallbackThatGoesOn() {
    return run(OfFallback.class, OF_A_PUBLISHER);
  }

  @TestFactory
  Stream<DynamicTest> subscriber_asABlackBox() {
    return run(StreamSubscriberVerification.Blackbox.class, OF_A_BLACK_BOX);
  }

  @TestFactory
  Stream<DynamicTest> subscriber_asAWhiteBox() {
    return run(StreamSubscriberVerification.Whitebox.class, OF_A_WHITE_BOX);
  }

  /** Runs the suite as a whole, and then reports each of its methods. */
  private static Stream<DynamicTest> run(Class<?> suite, int methods) {
    List<TckRun.Result> results = TckRun.of(suite);
    return Stream.concat(
        Stream.of(dynamicTest("all methods ran", () -> assertThat(results).hasSize(methods))),
        results.stream().map(result -> dynamicTest(result.method(), () -> check(result))));
  }

  private static void check(TckRun.Result result) throws Throwable {
    assertThat(result.skipped()).as("skipped: %s", result.thrown()).isEqualTo(result.isUntested());
    if (!result.skipped() && result.thrown() != null) {
      throw result.thrown();
    }
  }
}
