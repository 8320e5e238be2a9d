// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.collapser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.core.outcome.MissingAnswerException;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The mechanism alone: its starter writes down what it is given. */
class BatchesTest {

  private static final class Told extends Member<String> {
    final List<Object> told = new ArrayList<>();

    @Override
    public void onValue(String value) {
      told.add(value);
    }

    @Override
    public void onError(Throwable error) {
      told.add(error);
    }
  }

  private static final class Rules implements Batching<Integer, String> {
    int max = 2;
    RuntimeException onOpening;
    Error onHandOver;
    final List<Batch<Integer, String>> handedOver = new CopyOnWriteArrayList<>();

    @Override
    public String key() {
      return "K";
    }

    @Override
    public int maxRequests() {
      return max;
    }

    @Override
    public long delayNanos() {
      return 10;
    }

    @Override
    public BatchStarter<Integer, String> opening() {
      if (onOpening != null) {
        throw onOpening;
      }
      return batch -> {
        Error thrown = onHandOver;
        if (thrown != null) {
          onHandOver = null;
          throw thrown;
        }
        handedOver.add(batch);
      };
    }
  }

  private final ManualTime time = new ManualTime();
  private final Timer timer =
      new Timer(
          time,
          time,
          task -> {
            Thread thread = new Thread(task, "timer");
            thread.setDaemon(true);
            return thread;
          });
  private final Rules rules = new Rules();
  private final Batches<Integer, String> batches = new Batches<>(rules, timer, time);
  private final UnknownAnswers unknown = new UnknownAnswers("K");

  @AfterEach
  void close() {
    timer.close();
  }

  private List<Part<Integer, String>> start(Batch<Integer, String> batch) {
    return batch.start(new Sharding<>(null), unknown);
  }

  private Told join(int argument) {
    Told member = new Told();
    batches.join(argument, member);
    return member;
  }

  /** As far as a test can go: the map's own memory cannot be taken from it. */
  private static final class Exhausting {

    private boolean exhausted = true;

    @Override
    public int hashCode() {
      if (exhausted) {
        exhausted = false;
        throw new OutOfMemoryError("of the test");
      }
      return 1;
    }

    @Override
    @SuppressWarnings("EqualsUsingHashCode") // one object alone
    public boolean equals(Object other) {
      return this == other;
    }
  }

  @Test
  void join_whoseMapRunsOutOfMemory_leavesTheBatchToTheTimerAndOpensAnother() {
    List<Batch<Object, String>> handedOver = new CopyOnWriteArrayList<>();
    Batch<Object, String> batch = new Batch<>("K", handedOver::add, 10);
    Told before = new Told();
    assertThat(batch.join(1, before, 9)).isEqualTo(Batch.Joined.IN);

    assertThatThrownBy(() -> batch.join(new Exhausting(), new Told(), 9))
        .isInstanceOf(OutOfMemoryError.class);

    assertThat(batch.isOpen()).isFalse();
    assertThat(batch.join(2, new Told(), 9)).isEqualTo(Batch.Joined.TOO_LATE);
    batch.expired();
    assertThat(handedOver).containsExactly(batch);
    Part<Object, String> part = batch.start(new Sharding<>(null), unknown).get(0);
    assertThat(part.arguments()).containsExactly(1);
    part.onValue(Map.of(1, "one"));
    assertThat(before.told).containsExactly("one");
  }

  @Test
  void join_filling_handsOverOnce() {
    join(1);
    assertThat(rules.handedOver).isEmpty();
    join(2);
    join(3);
    assertThat(rules.handedOver).hasSize(1);
    assertThat(start(rules.handedOver.get(0)).get(0).arguments()).containsExactly(1, 2);
    assertThat(start(rules.handedOver.get(0))).as("a second start").isEmpty();
  }

  @Test
  void join_fillingWithoutMemoryToHandOver_leavesThatToTheTimer() {
    join(1);
    rules.onHandOver = new OutOfMemoryError("thrown by a test");
    assertThatThrownBy(() -> join(2)).isInstanceOf(OutOfMemoryError.class);
    assertThat(rules.handedOver).isEmpty();
    time.advance(Duration.ofNanos(10));
    await().until(() -> !rules.handedOver.isEmpty());
    assertThat(start(rules.handedOver.get(0)).get(0).arguments()).containsExactly(1, 2);
  }

  @Test
  void fail_withoutMemoryForTheError_losesNobody() {
    Told one = join(1);
    Told two = join(2);
    Batch<Integer, String> batch = rules.handedOver.get(0);
    Error noMemory = new OutOfMemoryError("thrown by a test");
    assertThatThrownBy(
            () ->
                batch.fail(
                    () -> {
                      throw noMemory;
                    }))
        .isSameAs(noMemory);
    assertThat(one.isSettled()).isFalse();
    Exception error = new IllegalStateException();
    batch.fail(() -> error);
    assertThat(one.told).containsExactly(error);
    assertThat(two.told).containsExactly(error);
  }

  @Test
  void start_withoutMemoryForTheParts_failsAllMembers() {
    Told one = join(1);
    Told two = join(2);
    Error noMemory = new OutOfMemoryError("thrown by a test");
    Sharding<Integer> failing =
        new Sharding<>(
            argument ->
                new Object() {
                  @Override
                  public int hashCode() {
                    throw noMemory;
                  }
                });
    assertThat(rules.handedOver.get(0).start(failing, unknown)).isEmpty();
    assertThat(one.told).containsExactly(noMemory);
    assertThat(two.told).containsExactly(noMemory);
  }

  @Test
  void join_equalArguments_fillNothing() {
    join(1);
    join(1);
    join(1);
    assertThat(rules.handedOver).isEmpty();
    join(2);
    Part<Integer, String> part = start(rules.handedOver.get(0)).get(0);
    assertThat(part.size()).isEqualTo(2);
    assertThat(part.members()).isEqualTo(4);
  }

  @Test
  void arguments_cannotBeChanged() {
    join(1);
    join(2);
    List<Integer> arguments = start(rules.handedOver.get(0)).get(0).arguments();
    assertThatThrownBy(arguments::clear).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void leave_afterClosingBeforeTheStart_stillTakesItOut() {
    Told one = join(1);
    join(2);
    assertThat(one.leave()).isTrue();
    assertThat(one.leave()).isFalse();
    assertThat(start(rules.handedOver.get(0)).get(0).arguments()).containsExactly(2);
  }

  @Test
  void answers_goToTheirOwn_once() {
    Told one = join(1);
    Told two = join(2);
    Part<Integer, String> part = start(rules.handedOver.get(0)).get(0);
    part.onValue(Map.of(1, "a", 3, "c"));
    part.onValue(Map.of(1, "again", 2, "late"));
    part.onError(new IllegalStateException());
    assertThat(one.told).containsExactly("a");
    assertThat(two.told).singleElement().isInstanceOf(MissingAnswerException.class);
    assertThat(unknown.any()).isTrue();
  }

  @Test
  void parts_answerTheirOwnArgumentsOnly() {
    Told one = join(1);
    Told two = join(2);
    List<Part<Integer, String>> parts =
        rules.handedOver.get(0).start(new Sharding<>(id -> id), unknown);
    parts.get(0).onValue(Map.of(1, "a", 2, "not its own"));
    assertThat(one.told).containsExactly("a");
    assertThat(two.told).isEmpty();
    assertThat(unknown.any()).isTrue();
    parts.get(1).onValue(Map.of(2, "b"));
    assertThat(two.told).containsExactly("b");
  }

  @Test
  void settledMember_letsGoOfItsBatch() {
    Told one = join(1);
    Told same = join(1);
    join(2);
    assertThat(same.next()).isSameAs(one);
    start(rules.handedOver.get(0)).get(0).onValue(Map.of(1, "a", 2, "b"));
    assertThat(same.next()).isNull();
    assertThat(same.batchOutcome()).isNull();
  }

  @Test
  void opening_throwing_failsTheCallAndLeavesNothing() {
    rules.onOpening = new IllegalStateException("propagator");
    assertThatThrownBy(() -> join(1)).hasMessage("propagator");
    assertThat(timer.pending()).isZero();
    rules.onOpening = null;
    join(1);
    join(2);
    assertThat(rules.handedOver).hasSize(1);
  }

  @Test
  void timer_closed_isToldAtOnce() {
    timer.close();
    assertThatThrownBy(() -> join(1))
        .isInstanceOf(CancellationException.class)
        .hasMessage("K was cancelled: its Tenrec was closed");
  }

  @Test
  void timer_withoutAThread_isToldAtOnce() {
    Timer threadless =
        new Timer(
            time,
            time,
            task -> {
              throw new OutOfMemoryError("no thread");
            });
    Batches<Integer, String> here = new Batches<>(rules, threadless, time);
    assertThatThrownBy(() -> here.join(1, new Told())).isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> here.join(2, new Told())).isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void close_withSharedArguments_failsAllMembers() {
    Told one = join(1);
    Told same = join(1);
    Told left = join(1);
    assertThat(left.leave()).isTrue();
    batches.close("its request has ended");
    assertThat(one.told).singleElement().isInstanceOf(CancellationException.class);
    assertThat(same.told).singleElement().isInstanceOf(CancellationException.class);
    assertThat(left.told).isEmpty();
  }
}
