// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.work.Work;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CommandView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.Arguments;

/**
 * A fresh Tenrec in manual time, and commands whose work runs one way and that are called through
 * one door. Closing it checks what always has to hold: each call answered once and counted once,
 * for one cause; no permit out; no thread left.
 */
public final class Scenario implements AutoCloseable {

  /** The time-out of every command here. */
  public static final Duration TIMEOUT = Duration.ofSeconds(1);

  private static final List<EventType> ANSWERS =
      List.of(
          EventType.SUCCESS,
          EventType.FALLBACK_SUCCESS,
          EventType.EXCEPTION_THROWN,
          EventType.CANCELLED);

  private static final List<EventType> CAUSES =
      List.of(
          EventType.SUCCESS,
          EventType.FAILURE,
          EventType.TIMEOUT,
          EventType.DEADLINE_EXCEEDED,
          EventType.BAD_REQUEST,
          EventType.SHORT_CIRCUITED,
          EventType.THREAD_POOL_REJECTED,
          EventType.SEMAPHORE_REJECTED,
          EventType.RATE_LIMITED);

  public final Way way;
  public final Door door;
  public final ManualTime time = new ManualTime();
  public final Tenrec tenrec;

  /** Counted down by held work when it begins. */
  public final CountDownLatch begun = new CountDownLatch(1);

  /** Ends held work. */
  public final CompletableFuture<String> release = new CompletableFuture<>();

  /** By key: several commands may be built for one. */
  private final Map<String, Integer> calls = new ConcurrentHashMap<>();

  private final Map<String, CommandView> views = new ConcurrentHashMap<>();

  public Scenario(Way way, Door door) {
    this(way, door, Tenrec.builder());
  }

  public Scenario(Way way, Door door, TenrecBuilder builder) {
    this.way = way;
    this.door = door;
    this.tenrec = builder.time(time, time).build();
  }

  /** For what another thread is about to do: looks often, because it mostly has been done. */
  public static ConditionFactory await() {
    return Awaitility.await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(PatientWaits.patience());
  }

  /** Every way through every door. */
  public static Stream<Arguments> everywhere() {
    return combined(Way.all(), List.of(Door.values()));
  }

  public static Stream<Arguments> combined(List<Way> ways, List<Door> doors) {
    return ways.stream().flatMap(way -> doors.stream().map(door -> Arguments.of(way, door)));
  }

  /** Work that ends by itself: it returns or throws; as a stage, that of its result. */
  public CommandBuilder<String, String> command(Work<String, String> work) {
    CommandBuilder<String, String> builder =
        way == Way.STAGE
            ? tenrec.asyncCommand("Subject", (String argument) -> staged(work, argument))
            : tenrec.command("Subject", work);
    return builder.isolation(way.isolation()).timeout(TIMEOUT);
  }

  private static CompletableFuture<String> staged(Work<String, String> work, String argument) {
    try {
      return CompletableFuture.completedFuture(work.run(argument));
    } catch (Throwable thrown) {
      return CompletableFuture.failedFuture(thrown);
    }
  }

  /**
   * Work that is at it when its deadline comes, and goes on until it is given up; on a semaphore,
   * where nobody can, it returns then.
   */
  public CommandBuilder<String, String> late() {
    if (way == Way.STAGE) {
      return tenrec
          .asyncCommand(
              "Subject",
              (String argument) -> {
                time.advance(TIMEOUT);
                return new CompletableFuture<String>();
              })
          .isolation(way.isolation())
          .timeout(TIMEOUT);
    }
    return command(
        argument -> {
          time.advance(TIMEOUT);
          return way.isAway() ? release.get() : "late";
        });
  }

  /** Work that says that it has begun, and ends when it is released or given up. */
  public CommandBuilder<String, String> held() {
    if (way == Way.STAGE) {
      return tenrec
          .asyncCommand(
              "Subject",
              (String argument) -> {
                begun.countDown();
                return release.thenApply(value -> value);
              })
          .isolation(way.isolation())
          .timeout(TIMEOUT);
    }
    return command(
        argument -> {
          begun.countDown();
          return release.get();
        });
  }

  /** Work there is no room for. */
  public CommandBuilder<String, String> rejected() {
    return rejected(argument -> argument);
  }

  /** This work, for which there is no room. */
  public CommandBuilder<String, String> rejected(Work<String, String> work) {
    if (way == Way.POOL) {
      Command<String, String> occupant =
          tenrec
              .command("Occupant", (String argument) -> release.get())
              .isolation(way.isolation(1))
              .withoutTimeout()
              .build();
      assertThat(occupant.executeAsync("x")).isNotDone();
      count(occupant);
      return command(work).isolation(way.isolation(1));
    }
    return command(work).isolation(way.isolation(0));
  }

  /** Calls on this thread, and waits. */
  public Answer call(Command<String, String> command, @Nullable String argument) throws Exception {
    count(command);
    return door.call(command, argument, cancel -> {});
  }

  /** Calls on a thread of its own. */
  public Caller start(Command<String, String> command, @Nullable String argument) {
    count(command);
    return new Caller(command, argument);
  }

  /**
   * Waits until a thread of Tenrec's has done all that was to be done after its work: it is idle in
   * its pool, or has ended.
   */
  public void awaitLeft(Thread worker) {
    await().until(() -> !worker.isAlive() || time.waiting().contains(worker));
  }

  /** A call that the test makes by itself. */
  public void count(Command<?, ?> command) {
    calls.merge(command.key(), 1, Integer::sum);
    views.put(command.key(), command.view());
  }

  /** Has this Tenrec's command count what {@code events} say, once each, and nothing else. */
  public static void assertCounted(Command<?, ?> command, EventType... events) {
    assertThat(counted(command.view())).containsExactlyInAnyOrder(events);
  }

  /** The same of what other threads are about to count. */
  public static void awaitCounted(Command<?, ?> command, EventType... events) {
    await().untilAsserted(() -> assertCounted(command, events));
  }

  /** How often an event was counted. */
  public static long counted(Command<?, ?> command, EventType event) {
    return command.view().cumulativeCount(event);
  }

  /** All events counted, each as often as it was. */
  public static List<EventType> counted(CommandView view) {
    List<EventType> counted = new ArrayList<>();
    for (EventType event : EventType.values()) {
      for (long n = view.cumulativeCount(event); n > 0; n--) {
        counted.add(event);
      }
    }
    return counted;
  }

  /** Closes it without patience, while time stands still. */
  public void closeAtOnce() {
    assertThat(Elsewhere.call(() -> tenrec.close(Duration.ZERO)))
        .succeedsWithin(PatientWaits.patience());
  }

  @Override
  public void close() throws Exception {
    release.complete("released");
    calls.forEach(this::assertAccounts);
    Elsewhere.close(tenrec, time);
    // the last of them may have outlasted what closing gives threads to end
    await().untilAsserted(() -> assertThat(tenrec.liveThreads()).isZero());
  }

  private void assertAccounts(String key, int made) {
    CommandView view = views.get(key);
    await()
        .untilAsserted(
            () -> {
              assertThat(view.concurrency()).isZero();
              assertThat(view.stillBusy()).isZero();
              assertThat(Inside.stages(view)).as("calls that closing has to know").isZero();
              assertThat(sum(view, ANSWERS)).as("answers: %s", counted(view)).isEqualTo(made);
              assertCauses(view, made); // of an attempt that was outrun, after its permit is back
            });
  }

  private static void assertCauses(CommandView view, int made) {
    long attempts =
        made
            + view.cumulativeCount(EventType.RETRY)
            + view.cumulativeCount(EventType.HEDGE)
            - view.cumulativeCount(EventType.ATTEMPT_OUTRUN);
    long cancelledFirst = attempts - sum(view, CAUSES);
    assertThat(cancelledFirst)
        .as("causes: %s", counted(view))
        .isBetween(0L, view.cumulativeCount(EventType.CANCELLED));
  }

  private static long sum(CommandView view, List<EventType> events) {
    return events.stream().mapToLong(view::cumulativeCount).sum();
  }

  /** A thread at the door. */
  public final class Caller {

    public final Thread thread;
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private final CompletableFuture<Boolean> flag = new CompletableFuture<>();
    private final AtomicReference<@Nullable Runnable> cancel = new AtomicReference<>();

    private Caller(Command<String, String> command, @Nullable String argument) {
      thread =
          new Thread(
              () -> {
                try {
                  answer.complete(door.call(command, argument, cancel::set));
                } catch (Throwable thrown) {
                  answer.completeExceptionally(thrown);
                }
                flag.complete(Thread.currentThread().isInterrupted());
              },
              "caller");
      thread.setDaemon(true);
      thread.start();
    }

    /**
     * By whatever this door has for it: an interrupt where the caller's thread is in the call, else
     * cancelling or disposing.
     */
    public Caller giveUp() {
      if (isInside()) {
        thread.interrupt();
      } else {
        await().until(() -> cancel.get() != null);
        cancel.get().run();
      }
      return this;
    }

    /** Whether only an interrupt reaches the call: its thread has not come back from it. */
    public boolean isInside() {
      return door.callerWaits() || way == Way.SEMAPHORE;
    }

    /** Waits until it sleeps, by the manual clock. */
    public Caller awaitWaiting() {
      await().until(() -> time.waiting().contains(thread));
      return this;
    }

    public boolean isAnswered() {
      return answer.isDone();
    }

    public Answer answer() throws Exception {
      return answer.get(PatientWaits.seconds(), TimeUnit.SECONDS);
    }

    /** Whether its interrupt flag was set in the end. */
    public boolean isFlagKept() throws Exception {
      return flag.get(PatientWaits.seconds(), TimeUnit.SECONDS);
    }
  }
}
