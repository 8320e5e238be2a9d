// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.StreamCommandBuilder;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Steps;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.stream.StreamCommandTest;
import dev.tenrec.core.work.Call;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.processors.PublishProcessor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;

/** What streams leave of a closed request, and what is reported of them. */
class ClosedRequestStreamHeapTest extends ClosedRequestFixture {

  /** Live on, as a feed does that others listen to as well. */
  private final PublishProcessor<Thing> feed = PublishProcessor.create();

  private final PublishProcessor<Thing> instead = PublishProcessor.create();
  private final AtomicInteger steps = new AtomicInteger();

  /** Of all streams, to the first of them. */
  private final AtomicInteger subscribed = new AtomicInteger();

  /** To the other. */
  private final AtomicInteger fellBack = new AtomicInteger();

  private static Publisher<Thing> from(PublishProcessor<Thing> processor, AtomicInteger count) {
    return subscriber -> {
      processor.subscribe(subscriber);
      count.incrementAndGet();
    };
  }

  /** Keeps nothing itself. A fallback that waits for its thread for a second is not asked. */
  @Override
  TenrecBuilder builder() {
    return Unhurried.builder()
        .listen(
            new Steps() {
              @Override
              public void step(String step, ListenedCall call, @Nullable Object what) {
                steps.incrementAndGet();
              }
            });
  }

  static List<Way> ways() {
    return StreamCommandTest.ways().toList();
  }

  private StreamCommandBuilder<Thing, Thing> stream(String key, Way way) {
    return tenrec
        .streamCommand(
            key,
            (Thing thing, Call call) -> {
              assertThat(variable.get()).isNotNull(); // the request was carried there
              call.onCancel(() -> assertThat(thing).isNotNull());
              return from(feed, subscribed);
            })
        .isolation(way.isolation())
        .timeout(Duration.ofHours(1))
        .betweenItemsTimeout(Duration.ofHours(1))
        .fallback((thing, cause) -> from(instead, fellBack));
  }

  private Disposable subscribe(StreamCommand<Thing, Thing> command, String key) {
    return command.toFlowable(trace(key, new Thing())).subscribe(item -> {}, error -> {});
  }

  private void open(RequestContext request) throws ReflectiveOperationException {
    traceRequest(request);
    trace("the variable's value", variable.get());
  }

  private void assertNothingLeft(Way way) {
    LeakGuard.assertQuiet(tenrec);
    assertThat(feed.hasSubscribers() || instead.hasSubscribers()).isFalse();
    assertThat(steps).hasPositiveValue();
    // on the same threads: a JVM may keep a thread's last exception until its next
    Command<String, String> other =
        tenrec
            .<String, String>command(
                "Other",
                s -> {
                  throw new IOException(s);
                })
            .isolation(way.isolation())
            .build();
    assertThat(other.attempt("x").isAnswered()).isFalse();
    assertGone();
    assertThat(kept).isNotEmpty();
  }

  /** Streams that were over when the request was: completed, failed, cancelled. */
  @ParameterizedTest
  @MethodSource("ways")
  void close_afterItsStreams_leavesNothing(Way way) throws Exception {
    StreamCommand<Thing, Thing> command = stream("Over", way).build();
    StreamCommand<Thing, Thing> failing =
        tenrec
            .streamCommand(
                "Failing", (Thing thing) -> Flowable.<Thing>error(trace("why", new Exception())))
            .isolation(way.isolation())
            .fallback((thing, cause) -> Flowable.just(trace("a fallback's item", new Thing())))
            .build();
    useAll(command, failing);
    assertNothingLeft(way);
  }

  private void useAll(StreamCommand<Thing, Thing> command, StreamCommand<Thing, Thing> failing)
      throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      open(request);
      Disposable cancelled = subscribe(command, "a cancelled one's key");
      kept.add(cancelled);
      kept.add(subscribe(command, "a satisfied one's key"));
      kept.add(subscribe(failing, "a failing one's key"));
      Scenario.await().until(() -> subscribed.get() == 2);
      feed.onNext(trace("an item", new Thing()));
      cancelled.dispose();
      feed.onComplete();
      LeakGuard.assertQuiet(tenrec);
    }
  }

  /** Streams that were at their fallback when the request closed, and have ended since. */
  @ParameterizedTest
  @MethodSource("ways")
  void close_overStreamsAtTheirFallback_leavesNothingWhenTheyHaveEnded(Way way) throws Exception {
    StreamCommand<Thing, Thing> late = stream("Late", way).timeout(Duration.ofMillis(1)).build();
    closeOver(late, instead);
    // given up, also by work that was held up and subscribes only now
    Scenario.await().until(() -> !feed.hasSubscribers());
    instead.onNext(trace("a late item", new Thing()));
    ((Disposable) kept.get(0)).dispose();
    instead.onComplete();
    assertNothingLeft(way);
  }

  /** Streams whose items and end come on a thread of no request. */
  @ParameterizedTest
  @MethodSource("ways")
  void close_overStreamsInFlight_leavesNothingWhenTheyHaveEnded(Way way) throws Exception {
    closeOver(stream("Flowing", way).build(), feed);
    feed.onNext(trace("a late item", new Thing()));
    ((Disposable) kept.get(0)).dispose();
    feed.onError(new IOException("down"));
    Scenario.await().until(() -> fellBack.get() == 1);
    instead.onComplete();
    assertNothingLeft(way);
  }

  private void closeOver(StreamCommand<Thing, Thing> command, PublishProcessor<Thing> source)
      throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      open(request);
      kept.add(subscribe(command, "a key"));
      kept.add(subscribe(command, "another key"));
      if (source == feed) {
        Scenario.await().until(() -> subscribed.get() == 2);
      } else { // on a busy machine a deadline may come before the work has subscribed
        Scenario.await().until(() -> fellBack.get() == 2);
        Scenario.await().until(() -> !feed.hasSubscribers());
      }
    }
  }
}
