// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.kit.ChildJvm;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import io.reactivex.rxjava3.core.FlowableSubscriber;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Publishers that run out of stack in their own recursion, each time at another place: every stream
 * ends once all the same, and its permit comes back.
 */
class StreamOverflowTest extends StreamFixture {

  private static final int STREAMS = 10;
  private static final long STACK_BYTES = 256 * 1024;
  private static final long STEP_BYTES = 12 * 1024 + 64;

  private StreamCommand<String, String> command(Consumer<Subscriber<? super String>> whenAsked) {
    Publisher<String> publisher =
        subscriber ->
            subscriber.onSubscribe(
                new Subscription() {
                  @Override
                  public void request(long n) {
                    whenAsked.accept(subscriber);
                  }

                  @Override
                  public void cancel() {}
                });
    return tenrec
        .streamCommand("Ticks", (String symbol) -> publisher)
        .isolation(Isolation.semaphore(STREAMS))
        .withoutCircuitBreaker()
        .withoutTimeout()
        .build();
  }

  private static void recurse(Subscriber<? super String> subscriber, int depth) {
    subscriber.onNext("item");
    if (depth > 0) { // always
      recurse(subscriber, depth + 1);
    }
  }

  private static void recurseAndGoOn(Subscriber<? super String> subscriber, int depth) {
    try {
      subscriber.onNext("item");
      if (depth > 0) {
        recurseAndGoOn(subscriber, depth + 1);
      }
    } catch (StackOverflowError tooDeep) { // by the first that has the room
      subscriber.onNext("one more");
    }
  }

  private static void recurseAndEnd(Subscriber<? super String> subscriber, int depth) {
    try {
      if (depth > 0) {
        recurseAndEnd(subscriber, depth + 1);
      }
    } catch (StackOverflowError tooDeep) {
      subscriber.onComplete();
    }
  }

  @Test
  void overflowAmongItems_endsTheStream() throws Exception {
    assertAllEnd(command(subscriber -> recurse(subscriber, 1)));
  }

  @Test
  void overflowAmongItems_thatThePublisherCatches_leavesTheStreamAsItWas() throws Exception {
    assertAllEnd(
        command(
            subscriber -> {
              recurseAndGoOn(subscriber, 1);
              subscriber.onComplete();
            }));
  }

  @Test
  void endFromTheEndOfTheStack_isNotLost() throws Exception {
    assertAllEnd(command(subscriber -> recurseAndEnd(subscriber, 1)));
  }

  /** Interpreted, so that the room for the end of a stream is more than that for a call. */
  @Test
  void publisherThatThrows_whereThereIsRoomForACallOnly_leavesNothingForClosing(
      @TempDir Path directory) throws Exception {
    ChildJvm.with("-Xint").run(directory, 60, NearlyFullStackChild.class);
  }

  private void assertAllEnd(StreamCommand<String, String> command) throws InterruptedException {
    AtomicInteger ends = new AtomicInteger();
    for (int i = 0; i < STREAMS; i++) {
      Thread thread =
          new Thread(
              null,
              () -> command.toFlowable("x").subscribe(new Counting(ends)),
              "overflowing",
              STACK_BYTES + i * STEP_BYTES);
      thread.start();
      thread.join(PatientWaits.patience().toMillis());
      assertThat(ends).as("ended, of %s", i + 1).hasValue(i + 1);
    }
    assertThat(command.view().concurrency()).as("permits out").isZero();
    long successes = command.view().cumulativeCount(EventType.SUCCESS);
    long failures = command.view().cumulativeCount(EventType.EXCEPTION_THROWN);
    assertThat(successes + failures).isEqualTo(STREAMS);
  }

  /** Asks for all there is, and counts the ends. */
  private record Counting(AtomicInteger ends) implements FlowableSubscriber<String> {

    @Override
    public void onSubscribe(Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(String item) {}

    @Override
    public void onError(Throwable thrown) {
      ends.incrementAndGet();
    }

    @Override
    public void onComplete() {
      ends.incrementAndGet();
    }
  }
}
