// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.collapser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.context.Deadlines;
import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.outcome.MissingAnswerException;
import dev.tenrec.metrics.time.ManualTime;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The mechanism alone: its starter writes down what it is given. */
class BatchesTest {

  private static final class RecordingMember extends Member<String> {
    final List<Object> endings = new ArrayList<>();
    boolean bare;

    @Override
    protected boolean isBare() {
      return bare;
    }

    @Override
    public void onValue(String value) {
      endings.add(value);
    }

    @Override
    public void onError(Throwable error) {
      endings.add(error);
    }
  }

  private static final class Rules implements Batching<Integer, String> {
    int max = 2;
    RuntimeException onOpening;
    Error onHandOver;
    Runnable whileOpening = () -> {};
    Deliverer deliverer = Deliverer.HERE;
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
    public long deadlineNanos() {
      return Deadlines.NONE;
    }

    @Override
    public Deliverer deliverer() {
      return deliverer;
    }

    @Override
    public BatchStarter<Integer, String> opening() {
      whileOpening.run();
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
  private Runnable whileArming = () -> {};
  private final Timer timer =
      new Timer(
          time,
          time,
          task -> {
            whileArming.run(); // a batch is open, and not in the timer yet
            Thread thread = new Thread(task, "timer");
            thread.setDaemon(true);
            return thread;
          });
  private final Rules rules = new Rules();
  private final Batches<Integer, String> batches = new Batches<>(rules, timer, time);
  private final List<CallbackTask> logging = new ArrayList<>();
  private final UnknownAnswers unknown = new UnknownAnswers("K", logging::add);

  @AfterEach
  void close() {
    timer.close();
  }

  private List<Part<Integer, String>> start(Batch<Integer, String> batch) {
    return batch.start(new Sharding<>(null), unknown);
  }

  private RecordingMember join(int argument) {
    RecordingMember member = new RecordingMember();
    batches.join(argument, member);
    return member;
  }

  /** Fails once where it says, and is equal to none. */
  private static final class Failing {

    private final int code;
    private Error hashCode;
    private Error equals;

    private Failing(int code) {
      this.code = code;
    }

    @Override
    public int hashCode() {
      Error thrown = hashCode;
      hashCode = null;
      if (thrown != null) {
        throw thrown;
      }
      return code;
    }

    @Override
    public boolean equals(Object other) {
      Error thrown = equals;
      equals = null;
      if (thrown != null) {
        throw thrown;
      }
      return this == other;
    }
  }

  @Test
  void join_whoseArgumentFails_failsThatCallAlone() {
    Batch<Object, String> batch = new Batch<>("K", handedOver -> {}, 10);
    RecordingMember before = new RecordingMember();
    assertThat(batch.join(1, before, 9)).isEqualTo(Batch.Joined.IN);
    Failing failing = new Failing(1);

    failing.hashCode = new OutOfMemoryError("of the test");
    assertThatThrownBy(() -> batch.join(failing, new RecordingMember(), 9))
        .isInstanceOf(OutOfMemoryError.class);
    failing.equals = new StackOverflowError("of the test");
    assertThatThrownBy(() -> batch.join(failing, new RecordingMember(), 9))
        .isInstanceOf(StackOverflowError.class);

    assertThat(batch.isOpen()).isTrue();
    RecordingMember after = new RecordingMember();
    assertThat(batch.join(failing, after, 9)).isEqualTo(Batch.Joined.IN);
    assertThat(batch.size()).isEqualTo(2);
    Part<Object, String> part = batch.start(new Sharding<>(null), unknown).get(0);
    assertThat(part.arguments()).containsExactly(1, failing);
    part.onValue(Map.of(1, "one", failing, "two"));
    assertThat(before.endings).containsExactly("one");
    assertThat(after.endings).containsExactly("two");
  }

  /** Has others join while it is compared. */
  private static final class Meanwhile {

    private Runnable others = () -> {};

    @Override
    public int hashCode() {
      return 1;
    }

    @Override
    public boolean equals(Object other) {
      Runnable now = others;
      others = () -> {};
      now.run();
      return this == other;
    }
  }

  @Test
  void join_whileAnEqualArgumentJoins_sharesItsSlot() {
    Batch<Object, String> batch = new Batch<>("K", handedOver -> {}, 10);
    assertThat(batch.join(1, new RecordingMember(), 9)).isEqualTo(Batch.Joined.IN);
    Meanwhile argument = new Meanwhile();
    RecordingMember meanwhile = new RecordingMember();
    argument.others =
        () -> {
          batch.join(argument, meanwhile, 9);
          batch.join(new Failing(1), new RecordingMember(), 9);
        };
    RecordingMember member = new RecordingMember();

    assertThat(batch.join(argument, member, 9)).isEqualTo(Batch.Joined.IN);

    assertThat(batch.size()).isEqualTo(3);
    Part<Object, String> part = batch.start(new Sharding<>(null), unknown).get(0);
    assertThat(part.members()).isEqualTo(4);
    part.onValue(Map.of(argument, "both"));
    assertThat(meanwhile.endings).containsExactly("both");
    assertThat(member.endings).containsExactly("both");
  }

  @Test
  void join_whileTheBatchIsTaken_isTooLate() {
    Batch<Object, String> batch = new Batch<>("K", handedOver -> {}, 10);
    assertThat(batch.join(1, new RecordingMember(), 9)).isEqualTo(Batch.Joined.IN);
    Meanwhile argument = new Meanwhile();
    argument.others = () -> batch.cancel("of the test");

    assertThat(batch.join(argument, new RecordingMember(), 9)).isEqualTo(Batch.Joined.TOO_LATE);
  }

  /** More arguments than the table has room for at first, three of each hash code. */
  @Test
  void join_ofManyArguments_findsEachAgain() {
    record Colliding(int number) {
      @Override
      public int hashCode() {
        return number / 3 * 16;
      }
    }
    Batch<Colliding, Integer> batch = new Batch<>("K", handedOver -> {}, 10);
    List<Integer> answers = new ArrayList<>();
    class Adding extends Member<Integer> {
      @Override
      public void onValue(Integer value) {
        answers.add(value);
      }

      @Override
      public void onError(Throwable error) {
        throw new AssertionError(error);
      }
    }
    Map<Colliding, Integer> expected = new HashMap<>();
    for (int i = 0; i < 900; i++) {
      int number = i % 300;
      batch.join(new Colliding(number), new Adding(), 1000);
      expected.put(new Colliding(number), number);
    }

    assertThat(batch.size()).isEqualTo(300);
    Part<Colliding, Integer> part = batch.start(new Sharding<>(null), unknown).get(0);
    assertThat(part.members()).isEqualTo(900);
    assertThat(part.arguments())
        .containsExactlyElementsOf(IntStream.range(0, 300).mapToObj(Colliding::new).toList());
    part.onValue(expected);
    assertThat(answers).hasSize(900).hasSameElementsAs(expected.values());
    assertThat(unknown.any()).isFalse();
  }

  /** A logger may block, and the other members wait for their answers. */
  @Test
  void onValue_withAnAnswerNotAskedFor_leavesItsLogToAnotherThread() {
    RecordingMember member = join(1);
    join(2);
    Part<Integer, String> part = start(rules.handedOver.get(0)).get(0);

    part.onValue(Map.of(8, "eight", 9, "nine", 1, "one", 2, "two"));

    assertThat(member.endings).containsExactly("one");
    assertThat(unknown.any()).isTrue();
    assertThat(logging).as("logged once").hasSize(1);
  }

  @Test
  void log_ofAnAnswerNotAskedFor_isALineOfItsOwnLogger() throws Exception {
    SwitchedLogging.requireInstalled();
    unknown.ignored(8);
    List<String> lines = new ArrayList<>();
    Thread here = Thread.currentThread();

    try (AutoCloseable switched =
        SwitchedLogging.on(logger -> Thread.currentThread() != here || !lines.add(logger))) {
      logging.forEach(CallbackTask::runHere);
    }

    assertThat(lines).containsExactly(UnknownAnswers.class.getName());
  }

  @Test
  void log_thatFoundNoMemory_isMadeUpForByTheNextAnswerNotAskedFor() {
    List<Error> noMemory = new ArrayList<>(List.of(new OutOfMemoryError("of the test")));
    UnknownAnswers answers =
        new UnknownAnswers(
            "K",
            task -> {
              if (!noMemory.isEmpty()) {
                throw noMemory.remove(0);
              }
              logging.add(task);
            });

    answers.ignored(8);
    assertThat(answers.any()).isFalse();
    assertThat(logging).isEmpty();
    answers.ignored(9);

    assertThat(answers.any()).isTrue();
    assertThat(logging).hasSize(1);
  }

  /** By the timer's thread, say, while the user's function takes too long. */
  @Test
  void end_whileABatchIsDivided_endsEachMemberOnce() {
    rules.max = 3;
    List<RecordingMember> members = List.of(join(1), join(2), join(3));
    Batch<Integer, String> batch = rules.handedOver.get(0);
    IllegalStateException late = new IllegalStateException("late");
    Sharding<Integer> sharding =
        new Sharding<>(
            argument -> {
              if (argument == 2) {
                batch.end(late);
                throw new IllegalArgumentException("of the test");
              }
              return argument;
            });

    List<Part<Integer, String>> parts = batch.start(sharding, unknown);
    parts.forEach(part -> part.onValue(Map.of(1, "one", 2, "two", 3, "three")));

    assertThat(members).allSatisfy(member -> assertThat(member.endings).containsExactly(late));
  }

  /** It has started: its parts answer it. */
  @Test
  void fail_whileABatchIsDivided_isNothing() {
    List<RecordingMember> members = List.of(join(1), join(2));
    Batch<Integer, String> batch = rules.handedOver.get(0);
    Sharding<Integer> sharding =
        new Sharding<>(
            argument -> {
              batch.fail(new IllegalStateException("of the test"));
              batches.close("its request has ended");
              return 0;
            });

    batch.start(sharding, unknown).get(0).onValue(Map.of(1, "one", 2, "two"));

    assertThat(members.get(0).endings).containsExactly("one");
    assertThat(members.get(1).endings).containsExactly("two");
  }

  /** Without stack to deliver what a user's function has thrown, say. */
  @Test
  void start_thatFailsWhileItDivides_failsTheMembersThatStillWait() {
    StackOverflowError noStack = new StackOverflowError("of the test");
    List<Error> due = new ArrayList<>(List.of(noStack));
    rules.deliverer =
        settled -> {
          if (!due.isEmpty()) {
            throw due.remove(0);
          }
          Deliverer.HERE.deliver(settled);
        };
    RecordingMember one = join(1);
    RecordingMember two = join(2);
    Sharding<Integer> sharding =
        new Sharding<>(
            argument -> {
              throw new IllegalArgumentException("of the test");
            });

    assertThat(rules.handedOver.get(0).start(sharding, unknown)).isEmpty();

    assertThat(one.isSettled()).isTrue();
    assertThat(two.endings).containsExactly(noStack);
  }

  @Test
  void latestDeadline_isThatOfTheMemberThatMayWaitLongest() {
    Batch<Integer, String> batch = new Batch<>("K", handedOver -> {}, 10);
    assertThat(batch.latestDeadline()).as("of no members").isEqualTo(Deadlines.NONE);

    joinUntil(batch, 1, 50);
    assertThat(batch.latestDeadline()).isEqualTo(50);
    joinUntil(batch, 2, 70);
    assertThat(batch.latestDeadline()).isEqualTo(70);
    joinUntil(batch, 3, 60);
    assertThat(batch.latestDeadline()).isEqualTo(70);
    joinUntil(batch, 4, Deadlines.NONE);
    assertThat(batch.latestDeadline()).as("one may wait for ever").isEqualTo(Deadlines.NONE);
    joinUntil(batch, 5, 80);
    assertThat(batch.latestDeadline()).isEqualTo(Deadlines.NONE);
  }

  private static void joinUntil(Batch<Integer, String> batch, int argument, long deadlineNanos) {
    assertThat(batch.join(argument, Slots.hash(argument), new RecordingMember(), deadlineNanos, 9))
        .isEqualTo(Batch.Joined.IN);
  }

  /** Nothing of the user's hangs on a bare member: it needs no other thread for its answer. */
  @Test
  void members_ofAnsweredParts_areDeliveredToHereIfTheyAreBare() {
    List<Member<?>> elsewhere = new ArrayList<>();
    rules.deliverer = elsewhere::add;
    RecordingMember bare = join(1);
    bare.bare = true;
    RecordingMember other = join(2);

    start(rules.handedOver.get(0)).get(0).onValue(Map.of(1, "one", 2, "two"));

    assertThat(bare.endings).containsExactly("one");
    assertThat(elsewhere).containsExactly(other);
  }

  /** By the timer's thread, say, which may run nothing of what members bring. */
  @Test
  void members_ofPartsThatFailApart_areDeliveredToElsewhere() {
    List<Member<?>> elsewhere = new ArrayList<>();
    rules.deliverer = elsewhere::add;
    RecordingMember bare = join(1);
    bare.bare = true;
    RecordingMember other = join(2);

    start(rules.handedOver.get(0)).get(0).failApart(new IllegalStateException("of the test"));

    assertThat(bare.isSettled()).isTrue();
    assertThat(bare.endings).isEmpty();
    assertThat(elsewhere).containsExactly(bare, other);
  }

  @Test
  void part_isKnownToItsMembers_andKnowsItsCollapser() {
    RecordingMember member = join(1);
    join(2);
    assertThat(member.waitsFor()).as("it has not started").isNull();

    Part<Integer, String> part = start(rules.handedOver.get(0)).get(0);

    assertThat(member.waitsFor()).isSameAs(part);
    assertThat(part.key()).isEqualTo("K");
  }

  @Test
  void sharding_runsUserCode_ifItHasAFunction() {
    assertThat(new Sharding<Integer>(null).runsUserCode()).isFalse();
    assertThat(new Sharding<Integer>(argument -> argument).runsUserCode()).isTrue();
  }

  /** The timer may hold it until its window is over, and its arguments may be large. */
  @Test
  void batch_thatIsTaken_letsGoOfItsArguments() {
    Exception error = new IllegalStateException("of the test");

    assertLetsGo(batch -> batch.start(new Sharding<>(null), unknown).get(0).onError(error));
    assertLetsGo(batch -> batch.fail(() -> error));
    assertLetsGo(batch -> batch.end(error));
  }

  private static void assertLetsGo(Consumer<Batch<Object, String>> ending) {
    Batch<Object, String> batch = new Batch<>("K", handedOver -> {}, 10);
    WeakReference<Object> argument = joinWithNewArgument(batch);
    ending.accept(batch);
    await()
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(argument.get()).as("the argument").isNull();
            });
    assertThat(batch.isEnded()).isTrue();
  }

  /** In a frame of its own, which keeps no argument. */
  private static WeakReference<Object> joinWithNewArgument(Batch<Object, String> batch) {
    Object argument = new Object();
    assertThat(batch.join(argument, new RecordingMember(), 9)).isEqualTo(Batch.Joined.IN);
    return new WeakReference<>(argument);
  }

  /** The timer's thread takes its nodes in the order of their times. */
  @Test
  void window_isOfItsLengthToTheNanosecond() {
    RecordingMember member = join(1);
    expireIn(9);
    assertThat(rules.handedOver).as("before its window is over").isEmpty();
    time.advance(Duration.ofNanos(1));
    await().until(() -> rules.handedOver.size() == 1);
    assertThat(member.endings).isEmpty();
  }

  /** Moves time on, and waits until the timer has taken all that is due by then. */
  private void expireIn(long nanos) {
    AtomicBoolean expired = new AtomicBoolean();
    assertThat(
            timer.arm(
                new Timeout(time.nanoTime() + nanos) {
                  @Override
                  protected boolean isEnded() {
                    return expired.get();
                  }

                  @Override
                  protected void expired() {
                    expired.set(true);
                  }
                }))
        .isTrue();
    time.advance(Duration.ofNanos(nanos));
    await().untilTrue(expired);
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
    RecordingMember one = join(1);
    RecordingMember two = join(2);
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
    assertThat(one.endings).containsExactly(error);
    assertThat(two.endings).containsExactly(error);
  }

  @Test
  void start_withoutMemoryForTheParts_failsAllMembers() {
    RecordingMember one = join(1);
    RecordingMember two = join(2);
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
    assertThat(one.endings).containsExactly(noMemory);
    assertThat(two.endings).containsExactly(noMemory);
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
    RecordingMember one = join(1);
    join(2);
    assertThat(one.leave()).isTrue();
    assertThat(one.leave()).isFalse();
    assertThat(start(rules.handedOver.get(0)).get(0).arguments()).containsExactly(2);
  }

  @Test
  void answers_goToTheirOwn_once() {
    RecordingMember one = join(1);
    RecordingMember two = join(2);
    Part<Integer, String> part = start(rules.handedOver.get(0)).get(0);
    part.onValue(Map.of(1, "a", 3, "c"));
    part.onValue(Map.of(1, "again", 2, "late"));
    part.onError(new IllegalStateException());
    assertThat(one.endings).containsExactly("a");
    assertThat(two.endings).singleElement().isInstanceOf(MissingAnswerException.class);
    assertThat(unknown.any()).isTrue();
  }

  @Test
  void parts_answerTheirOwnArgumentsOnly() {
    RecordingMember one = join(1);
    RecordingMember two = join(2);
    List<Part<Integer, String>> parts =
        rules.handedOver.get(0).start(new Sharding<>(id -> id), unknown);
    parts.get(0).onValue(Map.of(1, "a", 2, "not its own"));
    assertThat(one.endings).containsExactly("a");
    assertThat(two.endings).isEmpty();
    assertThat(unknown.any()).isTrue();
    parts.get(1).onValue(Map.of(2, "b"));
    assertThat(two.endings).containsExactly("b");
  }

  @Test
  void settledMember_letsGoOfItsBatch() {
    RecordingMember one = join(1);
    RecordingMember same = join(1);
    join(2);
    assertThat(same.next()).isSameAs(one);
    start(rules.handedOver.get(0)).get(0).onValue(Map.of(1, "a", 2, "b"));
    assertThat(same.next()).isNull();
    assertThat(same.batchOutcome()).isNull();
  }

  /** Nobody asks for its argument: it is in no part of the batch. */
  @Test
  void memberThatLeftBeforeTheStart_letsGoOfItsBatch() {
    Batch<Object, String> batch = new Batch<>("K", handedOver -> {}, 10);
    RecordingMember gone = new RecordingMember();
    RecordingMember same = new RecordingMember();
    assertThat(batch.join("gone", gone, 9)).isEqualTo(Batch.Joined.IN);
    assertThat(batch.join("gone", same, 9)).isEqualTo(Batch.Joined.IN);
    assertThat(same.next()).isSameAs(gone);
    WeakReference<Object> argument = joinWithNewArgument(batch);
    assertThat(gone.leave()).isTrue();
    assertThat(same.leave()).isTrue();
    WeakReference<Object> left = new WeakReference<>(batch);

    batch.start(new Sharding<>(null), unknown).get(0).onError(new IllegalStateException("down"));
    batch = null;

    await()
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(argument.get()).as("another member's argument").isNull();
              assertThat(left.get()).as("the batch").isNull();
            });
    assertThat(same.next()).as("the member before").isNull();
    assertThat(gone.endings).isEmpty();
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
  void timer_closed_isReportedAtOnce() {
    timer.close();
    assertThatThrownBy(() -> join(1))
        .isInstanceOf(CancellationException.class)
        .hasMessage("K was cancelled: its Tenrec was closed");
  }

  @Test
  void timer_closedWhileABatchOpens_cancelsThoseThatJoinedMeanwhile() {
    RecordingMember meanwhile = new RecordingMember();
    whileArming =
        () -> {
          batches.join(2, meanwhile);
          timer.close();
        };

    assertThatThrownBy(() -> join(1)).isInstanceOf(CancellationException.class);

    assertThat(meanwhile.endings)
        .singleElement()
        .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
        .isInstanceOf(CancellationException.class)
        .hasMessage("K was cancelled: its Tenrec was closed");
  }

  @Test
  void timer_withoutAThread_isReportedAtOnce() {
    Timer threadless =
        new Timer(
            time,
            time,
            task -> {
              throw new OutOfMemoryError("no thread");
            });
    Batches<Integer, String> here = new Batches<>(rules, threadless, time);
    assertThatThrownBy(() -> here.join(1, new RecordingMember()))
        .isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> here.join(2, new RecordingMember()))
        .isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void close_withSharedArguments_failsAllMembers() {
    RecordingMember one = join(1);
    RecordingMember same = join(1);
    RecordingMember left = join(1);
    assertThat(left.leave()).isTrue();
    batches.close("its request has ended");
    assertThat(one.endings).singleElement().isInstanceOf(CancellationException.class);
    assertThat(same.endings).singleElement().isInstanceOf(CancellationException.class);
    assertThat(left.endings).isEmpty();
  }

  @Test
  void join_afterClosing_isRefusedBeforeABatchOpens() {
    batches.close("its request has ended");
    rules.whileOpening =
        () -> {
          throw new AssertionError("opened, which runs a user's propagators");
        };

    assertThatThrownBy(() -> join(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("K cannot be called any more: its request has ended");
    assertThat(timer.pending()).isZero();
  }

  @Test
  void join_whileItsScopeCloses_isRefused() {
    rules.whileOpening = () -> batches.close("its request has ended");

    assertThatThrownBy(() -> join(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("K cannot be called any more: its request has ended");
  }

  /** It joins what the closing thread did not find, and the thread that opened that ends it. */
  @Test
  void join_ofABatchOpenedWhileItsScopeCloses_isCancelled() {
    RecordingMember meanwhile = new RecordingMember();
    rules.whileOpening = () -> batches.close("its request has ended");
    whileArming = () -> batches.join(2, meanwhile);

    assertThatThrownBy(() -> join(1)).isInstanceOf(IllegalStateException.class);

    assertThat(meanwhile.endings)
        .singleElement()
        .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
        .isInstanceOf(CancellationException.class)
        .hasMessage("K was cancelled: its request has ended");
  }
}
