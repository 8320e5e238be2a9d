// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.work.AsyncWork;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CommandView;
import dev.tenrec.metrics.view.PoolView;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LifecycleTest {

  private final Tenrec tenrec = Unhurried.tenrec();
  private final HeldWork held = HeldWork.polite();
  private final HeldWork stubborn = HeldWork.stubborn();

  @AfterEach
  void letGo() {
    held.letGo();
    stubborn.letGo();
    tenrec.close();
    await().until(() -> tenrec.liveThreads() == 0);
  }

  @Test
  void close_withoutAPatience_closesNothing() {
    TestSubscriber<Object> journal = new TestSubscriber<>();
    TestSubscriber<Object> snapshots = new TestSubscriber<>();
    tenrec.journalStream().subscribe(journal);
    tenrec.snapshots().subscribe(snapshots);

    assertThatThrownBy(() -> tenrec.close(null)).isInstanceOf(NullPointerException.class);

    journal.assertNotComplete();
    snapshots.assertNotComplete();
    assertThat(tenrec.command("Open", (Integer i) -> i).build().execute(1)).isOne();
    journal.cancel();
    snapshots.cancel();
  }

  /** What it brings: bounded, for nobody can interrupt a join. */
  private static <T> T ended(CompletableFuture<T> future) {
    assertThat(future).succeedsWithin(PatientWaits.patience());
    return future.join();
  }

  /** By a command whose work ends at once: a call that comes before the close holds up nobody. */
  private static void awaitClosing(Command<String, String> quick) {
    await().until(() -> quick.attempt("late").error() instanceof CommandRejectedException);
  }

  @Test
  void manyTenrecs_inOneJvm_knowNothingOfEachOther() {
    List<Tenrec> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Tenrec one = Unhurried.tenrec();
      all.add(one);
      int number = i;
      Command<String, Integer> same =
          one.command("Same", (String s) -> number).group("G" + i).build();
      assertThat(same.execute("x")).isEqualTo(i);
      assertThat(one.commands()).extracting(CommandView::group).containsExactly("G" + i);
    }
    all.get(3).set("tenrec.command.Same.circuitBreaker.forceOpen", "true");
    for (Tenrec one : all) {
      CommandView view = one.commands().get(0);
      assertThat(view.cumulativeCount(EventType.SUCCESS)).isOne();
      assertThat(view.circuitState().name())
          .isEqualTo(one == all.get(3) ? "FORCED_OPEN" : "CLOSED");
    }
    all.forEach(Tenrec::close);
    assertThat(all).allSatisfy(one -> assertThat(one.liveThreads()).isZero());
  }

  @Test
  void close_waitsForCallsInFlight() {
    Command<String, String> quick = tenrec.command("Quick", (String s) -> s).build();
    Command<String, String> command = tenrec.command("C", held).withoutTimeout().build();
    CompletableFuture<String> inFlight = command.executeAsync("x");
    held.awaitRunning(1);
    CompletableFuture<List<StillRunning>> closing =
        Elsewhere.call(() -> tenrec.close(Duration.ofSeconds(30)));
    awaitClosing(quick);
    assertThat(closing).isNotDone();
    held.letGo();
    assertThat(ended(closing)).isEmpty();
    assertThat(ended(inFlight)).isEqualTo("x");
    assertThat(held.interrupts()).isZero();
    assertThat(tenrec.liveThreads()).isZero();
  }

  @Test
  @Tag("race")
  void close_whenTheLastCallIsEnding_leavesItsAnswerToIt() {
    for (int i = 0; i < 150; i++) {
      Tenrec own = Unhurried.tenrec();
      HeldWork work = HeldWork.polite();
      Command<String, String> pooled = own.command("Pooled", work).build();
      CompletableFuture<String> stage = new CompletableFuture<>();
      Command<String, String> staged = own.asyncCommand("Staged", (String s) -> stage).build();
      CompletableFuture<String> first = pooled.executeAsync("x");
      CompletableFuture<String> second = staged.executeAsync("x");
      CompletableFuture<List<StillRunning>> closing =
          Elsewhere.call(() -> own.close(Duration.ofSeconds(30)));
      Thread other = Elsewhere.start(() -> stage.complete("x"));
      work.letGo();
      assertThat(ended(closing)).isEmpty();
      assertThat(ended(first) + ended(second)).isEqualTo("xx");
      assertThat(other.isDaemon()).isTrue();
    }
  }

  @Test
  void close_outOfPatience_interruptsWhatIsLeftAndAnswersIt() {
    Command<String, String> command = tenrec.command("C", held).withoutTimeout().build();
    CompletableFuture<String> running = command.executeAsync("running");
    CompletableFuture<Outcome<String>> waiting =
        Elsewhere.call(() -> command.attempt("waiting caller"));
    held.awaitRunning(2);
    assertThat(tenrec.close(Duration.ZERO)).isEmpty();
    held.awaitInterrupts(2);
    assertThatThrownBy(running::join).isInstanceOf(CancellationException.class);
    assertThat(ended(waiting).error())
        .isInstanceOf(CancellationException.class)
        .hasMessageContaining("its Tenrec was closed");
    assertThat(ended(waiting).events()).containsExactly(EventType.CANCELLED);
    assertThat(tenrec.liveThreads()).isZero();
  }

  @Test
  void close_withQueuedCalls_answersThemWithoutRunningThem() {
    Command<String, String> command =
        tenrec
            .command("C", held)
            .isolation(Isolation.threadPool().coreSize(1).queueSize(5))
            .withoutTimeout()
            .build();
    CompletableFuture<String> running = command.executeAsync("running");
    held.awaitRunning(1);
    CompletableFuture<String> queued = command.executeAsync("queued");
    CompletableFuture<Outcome<String>> caller =
        Elsewhere.call(() -> command.attempt("queued caller"));
    await().until(() -> tenrec.pools().get(0).queued() == 2);
    assertThat(tenrec.close(Duration.ZERO)).isEmpty();
    assertThat(running).isCancelled();
    assertThat(queued).isCancelled();
    assertThat(ended(caller).error()).isInstanceOf(CancellationException.class);
    assertThat(held.began()).containsExactly("running");
    assertThat(command.view().concurrency()).isZero();
  }

  @Test
  void close_withStubbornWork_reportsItWithItsCommandAndAge() {
    Tenrec real = Tenrec.create(); // it is for its instant that closing waits
    Command<String, String> command =
        real.command("Stuck", stubborn).group("G").withoutTimeout().build();
    CompletableFuture<String> answer = command.executeAsync("x");
    stubborn.awaitRunning(1);
    List<StillRunning> left = CloseReport.atWork(real.close(Duration.ofMillis(1)));
    assertThat(answer).isCancelled();
    assertThat(left).hasSize(1);
    assertThat(left.get(0).commandKey()).isEqualTo("Stuck");
    assertThat(left.get(0).thread()).isEqualTo("tenrec-G-1");
    assertThat(left.get(0).age()).isGreaterThanOrEqualTo(Duration.ofMillis(1));
    await().until(() -> real.liveThreads() == 1);
    assertThat(stubborn.threads().get(0).isDaemon()).isTrue();
    stubborn.letGo();
    await().until(() -> real.liveThreads() == 0);
  }

  @Test
  void close_afterATimeout_reportsTheThreadThatIsStillBusy() {
    ManualTime time = new ManualTime();
    Tenrec manual = Tenrec.builder().time(time, time).build();
    Command<String, String> command =
        manual.command("Stuck", stubborn).timeout(Duration.ofMillis(20)).build();
    CompletableFuture<Outcome<String>> answer = Elsewhere.call(() -> command.attempt("x"));
    stubborn.awaitRunning(1); // work that still waits for its thread at the deadline never runs
    time.advanceMillis(20);
    assertThat(ended(answer).events()).contains(EventType.TIMEOUT);
    CompletableFuture<List<StillRunning>> closing =
        Elsewhere.call(() -> manual.close(Duration.ZERO));
    await()
        .until(
            () -> {
              time.advanceMillis(100);
              return closing.isDone();
            });
    assertThat(CloseReport.atWork(ended(closing)))
        .extracting(StillRunning::commandKey)
        .containsExactly("Stuck");
  }

  /** Which thread is at it, if one is, is not known, and need not be a caller's. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void close_whileAStageGoesOnAlthoughItWasCancelled_reportsNobody(boolean timed) {
    CompletableFuture<String> stage =
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean mayInterrupt) {
            return false;
          }
        };
    CommandBuilder<String, String> builder =
        tenrec.asyncCommand("Stubborn", (String s) -> stage).isolation(Isolation.semaphore(1));
    CompletableFuture<String> call =
        (timed ? builder.timeout(Duration.ofHours(1)) : builder.withoutTimeout())
            .build()
            .executeAsync("x");

    CompletableFuture<List<StillRunning>> closed =
        Elsewhere.call(() -> tenrec.close(Duration.ZERO));

    assertThat(ended(closed)).isEmpty();
    assertThat(call).isCompletedExceptionally();
  }

  @Test
  void close_whileACallerIsStuckBesideAStage_reportsTheCaller() {
    CompletableFuture<String> stage =
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean mayInterrupt) {
            return false;
          }
        };
    CompletableFuture<String> beside =
        tenrec
            .asyncCommand("Staged", (String s) -> stage)
            .withoutTimeout()
            .build()
            .executeAsync("x");
    Command<String, String> stuck =
        tenrec
            .command("Stuck", (String s, Call call) -> stubborn.run(s))
            .isolation(Isolation.semaphore(1))
            .withoutTimeout()
            .build();
    CompletableFuture<String> caller = Elsewhere.call(() -> stuck.execute("x"));
    stubborn.awaitRunning(1);

    CompletableFuture<List<StillRunning>> closed =
        Elsewhere.call(() -> tenrec.close(Duration.ZERO));

    assertThat(ended(closed))
        .containsExactly(new StillRunning(StillRunning.CALLERS, "Stuck", 1, null));
    assertThat(beside).isCompletedExceptionally();
    stubborn.letGo();
    await().until(caller::isDone);
  }

  @Test
  void close_withStagesInFlight_answersThem() {
    List<CompletableFuture<String>> stages = new CopyOnWriteArrayList<>();
    AsyncWork<String, String> work =
        s -> {
          CompletableFuture<String> stage = new CompletableFuture<>();
          stages.add(stage);
          return stage;
        };
    Command<String, String> timed =
        tenrec.asyncCommand("Timed", work).timeout(Duration.ofMinutes(5)).build();
    Command<String, String> untimed = tenrec.asyncCommand("Untimed", work).withoutTimeout().build();
    Command<String, String> pooled =
        tenrec
            .asyncCommand("Pooled", work)
            .isolation(Isolation.threadPool())
            .withoutTimeout()
            .build();
    CompletableFuture<String> first = timed.executeAsync("x");
    CompletableFuture<String> second = untimed.executeAsync("x");
    CompletableFuture<String> third = pooled.executeAsync("x");
    List<CompletableFuture<Outcome<String>>> callers =
        List.of(
            Elsewhere.call(() -> timed.attempt("y")),
            Elsewhere.call(() -> untimed.attempt("y")),
            Elsewhere.call(() -> pooled.attempt("y")));
    await()
        .until(
            () ->
                timed.view().concurrency() == 2
                    && untimed.view().concurrency() == 2
                    && pooled.view().concurrency() == 2
                    && stages.size() == 6);
    await().until(() -> tenrec.pools().stream().allMatch(pool -> pool.cumulativeCompleted() == 2));
    // until its stage is followed, a caller is at its work
    await().until(() -> stages.stream().allMatch(stage -> stage.getNumberOfDependents() > 0));
    assertThat(tenrec.close(Duration.ZERO)).isEmpty();
    assertThat(List.of(first, second, third))
        .allSatisfy(future -> assertThat(future).isCancelled());
    for (CompletableFuture<Outcome<String>> caller : callers) {
      await().until(caller::isDone);
      assertThat(ended(caller).error())
          .isInstanceOf(CancellationException.class)
          .hasMessageContaining("its Tenrec was closed");
    }
    assertThat(stages).hasSize(6).allSatisfy(stage -> assertThat(stage).isCancelled());
  }

  @Test
  void calls_afterClose_areRejectedThroughEveryDoor() {
    Command<String, String> command = tenrec.command("C", (String s) -> s).build();
    Command<String, String> withFallback =
        tenrec.command("F", (String s) -> s).fallback((s, cause) -> "fallback").build();
    tenrec.close();
    assertThatThrownBy(() -> command.execute("x"))
        .isInstanceOf(CommandRejectedException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> command.executeAsync("x").join())
        .hasCauseInstanceOf(CommandRejectedException.class);
    assertThatThrownBy(() -> command.toSingle("x").blockingGet())
        .isInstanceOf(CommandRejectedException.class);
    assertThat(command.attempt("x").cause()).isInstanceOf(CommandRejectedException.class);
    assertThat(withFallback.execute("x")).isEqualTo("fallback");
    assertThatThrownBy(() -> tenrec.command("New", (String s) -> s).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("command New cannot be built: this Tenrec is closed");
    assertThat(tenrec.commands()).extracting(CommandView::key).containsExactlyInAnyOrder("C", "F");
    assertThat(tenrec.liveThreads()).isZero();
  }

  @Test
  void close_again_returnsAtOnceWithNothing() {
    Tenrec real = Tenrec.create(); // it is for its instant that closing waits
    Command<String, String> command = real.command("C", stubborn).withoutTimeout().build();
    CompletableFuture<String> answer = command.executeAsync("x");
    stubborn.awaitRunning(1);
    assertThat(CloseReport.atWork(real.close(Duration.ZERO))).hasSize(1);
    assertThat(real.close(Duration.ofDays(1))).isEmpty();
    assertThat(answer).isCancelled();
  }

  @Test
  void close_withoutCalls_leavesNothing() {
    assertThat(tenrec.close(Duration.ofDays(1))).isEmpty();
    assertThat(tenrec.liveThreads()).isZero();
  }

  @Test
  void close_withPatienceBeyondReckoning_isTakenAsForEver() {
    assertThat(tenrec.close(Duration.ofSeconds(Long.MAX_VALUE))).isEmpty();
    assertThat(tenrec.liveThreads()).isZero();
  }

  @Test
  void close_withNullPatience_changesNothing() {
    Command<String, String> command = tenrec.command("C", (String s) -> s).build();
    assertThatThrownBy(() -> tenrec.close(null)).isInstanceOf(NullPointerException.class);
    assertThat(command.execute("x")).isEqualTo("x");
  }

  @Test
  void close_interrupted_stopsWaitingAndKeepsTheFlag() {
    Command<String, String> quick = tenrec.command("Quick", (String s) -> s).build();
    Command<String, String> command = tenrec.command("C", held).withoutTimeout().build();
    CompletableFuture<String> answer = command.executeAsync("x");
    held.awaitRunning(1);
    AtomicReference<Boolean> flag = new AtomicReference<>();
    Thread closer =
        Elsewhere.start(
            () -> {
              tenrec.close(Duration.ofDays(1));
              flag.set(Thread.currentThread().isInterrupted());
            });
    awaitClosing(quick);
    closer.interrupt();
    await().until(() -> flag.get() != null);
    assertThat(flag.get()).isTrue();
    assertThat(answer).isCancelled();
    held.awaitInterrupts(1);
  }

  @Test
  void remove_takesMetricsPoolAndThreads() {
    Command<String, String> command = tenrec.command("C", (String s) -> s).group("G").build();
    Command<String, String> stays = tenrec.command("Stays", (String s) -> s).group("H").build();
    assertThat(command.execute("x") + stays.execute("y")).isEqualTo("xy");
    assertThat(tenrec.remove("C")).isTrue();
    assertThat(tenrec.remove("C")).isFalse();
    assertThat(tenrec.commands()).extracting(CommandView::key).containsExactly("Stays");
    assertThat(tenrec.pools()).extracting(PoolView::key).containsExactly("H");
    await().until(() -> threadsNamed("tenrec-G-") == 0);
    assertThatThrownBy(() -> command.execute("x")).isInstanceOf(CommandRejectedException.class);
    assertThat(stays.execute("y")).isEqualTo("y");
  }

  @Test
  void remove_ofOneOfTwoInAGroup_keepsTheirPool() {
    Command<String, String> first = tenrec.command("First", (String s) -> s).group("G").build();
    Command<String, String> second = tenrec.command("Second", (String s) -> s).group("G").build();
    assertThat(first.execute("x")).isEqualTo("x");
    assertThat(tenrec.remove("First")).isTrue();
    assertThat(second.execute("y")).isEqualTo("y");
    assertThat(tenrec.pools()).extracting(PoolView::key).containsExactly("G");
    assertThat(tenrec.remove("Second")).isTrue();
    assertThat(tenrec.pools()).isEmpty();
  }

  @Test
  void remove_ofACommandOnAnOverridingPool_takesThatTooIfNobodyElseUsesIt() {
    Command<String, String> command = tenrec.command("C", (String s) -> s).build();
    tenrec.set("tenrec.command.C.threadPoolKeyOverride", "Elsewhere");
    assertThat(command.execute("x")).isEqualTo("x");
    assertThat(tenrec.pools())
        .extracting(PoolView::key)
        .containsExactlyInAnyOrder("C", "Elsewhere");
    assertThat(tenrec.remove("C")).isTrue();
    assertThat(tenrec.pools()).isEmpty();
    await().until(() -> threadsNamed("tenrec-Elsewhere-") == 0);
  }

  @Test
  void remove_thenBuiltAnew_startsFromNothing() {
    Command<String, String> before =
        tenrec
            .<String, String>command(
                "C",
                (String s) -> {
                  throw new IllegalStateException(s);
                })
            .fallback((s, cause) -> s)
            .build();
    assertThat(before.execute("x")).isEqualTo("x");
    assertThat(tenrec.remove("C")).isTrue();
    Command<String, String> after =
        tenrec.command("C", (String s) -> "new").isolation(Isolation.semaphore(3)).build();
    assertThat(after.view().cumulativeCount(EventType.FAILURE)).isZero();
    assertThat(after.execute("x")).isEqualTo("new");
    assertThat(before.execute("x")).as("the old one is refused, and falls back").isEqualTo("x");
    assertThat(after.view().cumulativeCount(EventType.SUCCESS)).isOne();
  }

  @Test
  void remove_withACallInFlight_letsItEnd() {
    Command<String, String> command = tenrec.command("C", held).withoutTimeout().build();
    CompletableFuture<String> inFlight = command.executeAsync("x");
    held.awaitRunning(1);
    assertThat(tenrec.remove("C")).isTrue();
    held.letGo();
    assertThat(ended(inFlight)).isEqualTo("x");
    await().until(() -> threadsNamed("tenrec-C-") == 0);
  }

  @Test
  void close_afterRemove_stillEndsWhatTheRemovedOneLeftRunning() {
    Tenrec real = Tenrec.create(); // it is for its instant that closing waits
    Command<String, String> command = real.command("C", stubborn).withoutTimeout().build();
    CompletableFuture<String> inFlight = command.executeAsync("x");
    stubborn.awaitRunning(1);
    assertThat(real.remove("C")).isTrue();
    assertThat(real.liveThreads()).as("settings, and the pool's").isGreaterThanOrEqualTo(1);
    assertThat(CloseReport.atWork(real.close(Duration.ZERO)))
        .extracting(StillRunning::commandKey)
        .containsExactly("C");
    assertThat(inFlight).isCancelled();
    await().until(() -> real.liveThreads() == 1);
  }

  @Test
  void close_afterRemove_hasPatienceWithWhatTheRemovedOneLeftRunning() {
    Command<String, String> command = tenrec.command("C", held).withoutTimeout().build();
    CompletableFuture<String> inFlight = command.executeAsync("x");
    held.awaitRunning(1);
    assertThat(tenrec.remove("C")).isTrue();
    CompletableFuture<List<StillRunning>> closing =
        Elsewhere.call(() -> tenrec.close(Duration.ofSeconds(30)));
    await().until(() -> isClosed(tenrec));
    held.letGo();
    assertThat(ended(inFlight)).isEqualTo("x");
    assertThat(ended(closing)).isEmpty();
    assertThat(held.interrupts()).isZero();
  }

  private static boolean isClosed(Tenrec tenrec) {
    try {
      return tenrec.command("New", (String s) -> s).build().key().isEmpty();
    } catch (IllegalStateException closed) {
      return true;
    }
  }

  private static long threadsNamed(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(prefix))
        .count();
  }

  @Test
  void keys_beyondTheCap_areRefusedWithAClearError() {
    try (Tenrec small = Unhurried.builder().maxCommands(2).build()) {
      assertThat(small.command("A", (String s) -> s).build().key()).isEqualTo("A");
      assertThat(small.command("B", (String s) -> s).build().key()).isEqualTo("B");
      assertThat(small.command("B", (String s) -> s).build().key())
          .as("it is there already")
          .isEqualTo("B");
      assertThatThrownBy(() -> small.command("C", (String s) -> s).build())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith(
              "command C cannot be built: there are 2 commands already, and maxCommands is 2");
      assertThat(small.remove("A")).isTrue();
      assertThat(small.command("C", (String s) -> s).build().execute("x")).isEqualTo("x");
    }
    assertThatThrownBy(() -> Unhurried.builder().maxCommands(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was 0");
  }

  @Test
  void oneKeyTwice_withTheSameSettings_sharesEverything() {
    Command<String, String> first =
        tenrec.command("C", (String s) -> s).timeout(Duration.ofSeconds(2)).build();
    Command<String, String> second =
        tenrec.command("C", (String s) -> s + s).timeout(Duration.ofSeconds(2)).build();
    assertThat(first.execute("a") + second.execute("a")).isEqualTo("aaa");
    assertThat(first.view().cumulativeCount(EventType.SUCCESS)).isEqualTo(2);
    assertThat(tenrec.commands()).hasSize(1);
  }

  @Test
  void oneKeyTwice_withOtherSettings_isAnErrorThatNamesBoth() {
    assertThat(tenrec.command("C", (String s) -> s).timeout(Duration.ofSeconds(2)).build().key())
        .isEqualTo("C");
    assertThatThrownBy(
            () -> tenrec.command("C", (String s) -> s).timeout(Duration.ofSeconds(3)).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("command C was built before with other settings", "2000", "3000");
    assertThatThrownBy(() -> tenrec.guard("C").group("Other").build())
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void onePoolTwice_withOtherSettings_isAnErrorThatNamesBoth() {
    assertThat(
            tenrec
                .command("A", (String s) -> s)
                .group("G")
                .isolation(Isolation.threadPool().coreSize(3))
                .build()
                .key())
        .isEqualTo("A");
    assertThatThrownBy(
            () ->
                tenrec
                    .command("B", (String s) -> s)
                    .group("G")
                    .isolation(Isolation.threadPool().coreSize(4))
                    .build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll(
            "thread pool G was built before with other settings", "coreSize=3", "coreSize=4");
    assertThat(tenrec.commands()).extracting(CommandView::key).containsExactly("A");
    assertThat(tenrec.command("B", (String s) -> s).group("G").build().execute("x"))
        .as("it says nothing of it")
        .isEqualTo("x");
  }

  /** What is closed may be kept for its views; the thread may be one of an application's. */
  @Test
  void close_keepsNotTheThreadThatCloses() throws Exception {
    tenrec.command("Subject", (String argument) -> argument).build().execute("x");
    WeakReference<Thread> closing = closedOnAThread(tenrec);

    await()
        .atMost(PatientWaits.patience())
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(closing.get() == null).as("its thread is gone").isTrue();
            });
    assertThat(tenrec.liveThreads()).isZero();
  }

  private static WeakReference<Thread> closedOnAThread(Tenrec tenrec) throws Exception {
    Thread thread = new Thread(tenrec::close, "closing");
    thread.start();
    thread.join(PatientWaits.patience().toMillis());
    assertThat(thread.isAlive()).isFalse();
    return new WeakReference<>(thread);
  }
}
