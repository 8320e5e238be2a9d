// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.Guard;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.breaker.TransitionReason;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.SettingLevel;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CommandTotals;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.disposables.Disposable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an operator and a publisher see and do: totals, settings, journal, by hand. */
class OperatorViewTest {

  private static final IllegalStateException DOWN = new IllegalStateException("down");

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());

  private Command<Integer, Integer> failing(String key) {
    return tenrec
        .command(key, OperatorViewTest::failOnOdd)
        .isolation(Isolation.semaphore(2))
        .errorThreshold(50, 4)
        .sleepWindow(Duration.ofSeconds(5))
        .build();
  }

  private static Integer failOnOdd(Integer i) {
    if (i % 2 == 1) {
      throw DOWN;
    }
    return i;
  }

  private void open(Command<Integer, Integer> command) {
    for (int i = 0; i < 8; i++) {
      assertThat(command.attempt(1).isSuccess()).isFalse();
      time.advanceMillis(100);
    }
    await()
        .until(
            () -> {
              if (command.view().circuitState() != CircuitState.OPEN) { // the timer was looking
                time.advanceMillis(100);
              }
              return command.view().circuitState() == CircuitState.OPEN;
            });
  }

  @Test
  void totals_afterCallsOfAllKinds_agreeWithTheRollingViewsAndOutlastRemoval() {
    Command<Integer, Integer> command = failing("Totals");
    for (int i = 0; i < 3; i++) {
      assertThat(command.execute(2)).isEqualTo(2);
      assertThat(command.attempt(1).isSuccess()).isFalse();
    }
    CommandDetails view = command.view();
    CommandTotals totals = view.totals();

    assertThat(totals.events()).isEqualTo(view.counts().rolling());
    assertThat(totals.events().get(EventType.SUCCESS)).isEqualTo(3);
    assertThat(totals.execution().count()).isEqualTo(view.executionLatency().count()).isEqualTo(6);
    assertThat(view.snapshot().totals()).isEqualTo(totals);
    time.advanceMillis(60_000);
    assertThat(view.counts().rolling()).hasToString("{}");
    assertThat(view.totals()).isEqualTo(totals);

    assertThat(tenrec.remove("Totals")).isTrue();
    assertThat(view.totals()).isEqualTo(totals);
    assertThat(tenrec.commands()).isEmpty();
  }

  /** Of a Tenrec whose clock goes on at each reading, and that nobody has looked at. */
  private Tenrec ticking() {
    return leaks.watch(
        Tenrec.builder().time(() -> time.advance(Duration.ofNanos(1)).nanoTime(), time).build());
  }

  @Test
  void journal_ofACommandsFirstRefusal_hasIt() {
    Tenrec ticking = ticking();
    Command<Integer, Integer> full =
        ticking.command("Full", (Integer i) -> i).isolation(Isolation.semaphore(0)).build();
    Command<Integer, Integer> limited =
        ticking
            .command("Limited", (Integer i) -> i)
            .isolation(Isolation.threadPool())
            .rateLimit(1, Duration.ofDays(1), 1)
            .build();

    assertThatThrownBy(() -> full.execute(1)).isInstanceOf(CommandRejectedException.class);
    assertThat(limited.execute(1)).isOne();
    assertThat(limited.attempt(1).isSuccess()).isFalse();
    assertThat(limited.attempt(1).isSuccess()).as("in the same interval").isFalse();

    assertThat(ticking.journal())
        .extracting(entry -> entry.getClass().getSimpleName() + " " + entry.key())
        .containsExactly("CallRefused Full", "CallRefused Limited");
  }

  @Test
  void journal_ofACommandsFirstTimeout_hasIt() {
    Tenrec ticking = ticking();
    Command<Integer, Integer> slow =
        ticking
            .command(
                "Slow",
                (Integer i) -> {
                  time.advanceMillis(2_000);
                  return i;
                })
            .isolation(Isolation.semaphore(1))
            .withDeadline()
            .build();

    assertThat(slow.attempt(1).isSuccess()).isFalse();
    try (Scope scope = Deadline.after(ticking, Duration.ofMillis(10)).open()) {
      assertThat(slow.attempt(1).isSuccess()).isFalse();
    }

    assertThat(ticking.journal())
        .extracting(entry -> entry.getClass().getSimpleName())
        .containsExactly("CallTimedOut", "CallBeyondDeadline");
  }

  @Test
  void view_askedTwice_isOneObject() {
    Command<Integer, Integer> command = failing("One");
    assertThat(command.view()).isSameAs(command.view()).isSameAs(tenrec.commands().get(0));
  }

  @Test
  void settings_fromAllLevels_nameTheLevelEachComesFrom() {
    tenrec.set(
        Map.of(
            "tenrec.command.default.fallback.enabled",
            "false",
            "tenrec.command.Levels.circuitBreaker.sleepWindowInMilliseconds",
            "700"));
    Command<Integer, Integer> command = failing("Levels");

    assertThat(setting(command, "circuitBreaker.sleepWindowInMilliseconds"))
        .isEqualTo(
            new EffectiveSetting(
                "command",
                "Levels",
                "circuitBreaker.sleepWindowInMilliseconds",
                "700",
                SettingLevel.INSTANCE,
                null));
    assertThat(setting(command, "circuitBreaker.requestVolumeThreshold"))
        .isEqualTo(
            new EffectiveSetting(
                "command",
                "Levels",
                "circuitBreaker.requestVolumeThreshold",
                "4",
                SettingLevel.CODE,
                null));
    assertThat(setting(command, "fallback.enabled").level()).isEqualTo(SettingLevel.GLOBAL);
    assertThat(setting(command, "circuitBreaker.forceOpen").level())
        .isEqualTo(SettingLevel.DEFAULT);
  }

  @Test
  void settings_aRefusedValue_showWhatIsInForceAndWhy() {
    Command<Integer, Integer> command = failing("Refused");
    String key = "tenrec.command.Refused.circuitBreaker.requestVolumeThreshold";
    tenrec.set(key, "many");
    EffectiveSetting setting = setting(command, "circuitBreaker.requestVolumeThreshold");
    assertThat(setting.value()).isEqualTo("4");
    assertThat(setting.level()).isEqualTo(SettingLevel.CODE);
    assertThat(setting.refusal()).isNotNull();
    assertThat(setting.refusal().key()).isEqualTo(key);
    assertThat(setting.refusal().value()).isEqualTo("many");

    tenrec.set(key, "7");
    assertThat(setting(command, "circuitBreaker.requestVolumeThreshold"))
        .isEqualTo(
            new EffectiveSetting(
                "command",
                "Refused",
                "circuitBreaker.requestVolumeThreshold",
                "7",
                SettingLevel.INSTANCE,
                null));
    tenrec.set(key, "-1");
    assertThat(setting(command, "circuitBreaker.requestVolumeThreshold").value()).isEqualTo("7");
    assertThat(setting(command, "circuitBreaker.requestVolumeThreshold").level())
        .isEqualTo(SettingLevel.INSTANCE);
  }

  private static EffectiveSetting setting(Command<?, ?> command, String property) {
    return command.view().settings().stream()
        .filter(setting -> setting.property().equals(property))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void settings_ofPoolSemaphoreAndCollapser_areThere() {
    Command<Integer, Integer> pooled =
        tenrec
            .command("Pooled", OperatorViewTest::failOnOdd)
            .isolation(Isolation.threadPool().coreSize(3))
            .build();
    Command<Integer, Integer> sharing =
        tenrec
            .command("Sharing", OperatorViewTest::failOnOdd)
            .isolation(Isolation.semaphore(5).shared("Shared"))
            .build();
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapserByPosition("Batched", (List<Integer> all) -> all)
            .maxRequestsInBatch(7)
            .build();
    assertThat(pooled.execute(2) + sharing.execute(2)).isEqualTo(4);

    PoolDetails pool =
        tenrec.pools().stream()
            .filter(each -> each.key().equals("Pooled"))
            .findFirst()
            .orElseThrow();
    assertThat(pool.settings())
        .contains(
            new EffectiveSetting("threadpool", "Pooled", "coreSize", "3", SettingLevel.CODE, null));
    SemaphoreDetails semaphore = tenrec.semaphores().get(0);
    assertThat(semaphore.name()).isEqualTo("Shared");
    assertThat(semaphore.limit()).isEqualTo(5);
    assertThat(semaphore.inUse()).isZero();
    assertThat(semaphore.settings())
        .containsExactly(
            new EffectiveSetting(
                "semaphore", "Shared", "maxConcurrentRequests", "5", SettingLevel.CODE, null));
    assertThat(collapser.view().settings())
        .contains(
            new EffectiveSetting(
                "collapser", "Batched", "maxRequestsInBatch", "7", SettingLevel.CODE, null));
  }

  @Test
  void journal_ofACircuitAndItsSettings_hasAllInOrder() {
    Command<Integer, Integer> command = failing("Journalled");
    tenrec.set("tenrec.command.Journalled.fallback.enabled", "false");
    tenrec.set("tenrec.command.Journalled.fallback.enabled", "perhaps");
    open(command);
    await().until(() -> command.view().journal().size() == 3); // the state changes first

    List<JournalEntry> journal = command.view().journal();
    assertThat(journal).extracting(JournalEntry::key).containsOnly("Journalled");
    assertThat(journal).extracting(JournalEntry::number).isSorted();
    assertThat(journal.get(0)).isInstanceOf(JournalEntry.SettingChanged.class);
    assertThat(journal.get(0).text()).isEqualTo("fallback.enabled true -> false");
    assertThat(journal.get(1)).isInstanceOf(JournalEntry.SettingRefused.class);
    assertThat(journal.get(1).text()).contains("perhaps");
    assertThat(journal.get(2)).isInstanceOf(JournalEntry.CircuitChanged.class);
    assertThat(journal.get(2).text()).startsWith("circuit CLOSED -> OPEN: ").contains("limit 50 %");
    assertThat(tenrec.journal()).containsExactlyElementsOf(journal);
    assertThat(command.view().nextTrialAt()).isNotNull();
  }

  @Test
  void journal_ofThousandsOfRefusals_hasOneOfEachInterval() throws InterruptedException {
    CountDownLatch leave = new CountDownLatch(1);
    Command<Integer, Integer> command =
        tenrec
            .command(
                "Full",
                (Integer i) -> {
                  leave.await();
                  return i;
                })
            .isolation(Isolation.semaphore(1))
            .withoutCircuitBreaker()
            .timeout(Duration.ofMinutes(1))
            .build();
    CountDownLatch inside = new CountDownLatch(1);
    Thread holder =
        new Thread(
            () -> {
              inside.countDown();
              assertThat(command.execute(0)).isZero();
            });
    holder.start();
    inside.await();
    await().until(() -> command.view().concurrency() == 1);
    for (int i = 0; i < 1_000; i++) {
      assertThatThrownBy(() -> command.execute(1)).isInstanceOf(CommandRejectedException.class);
    }
    time.advanceMillis(500);
    for (int i = 0; i < 1_000; i++) {
      assertThat(command.attempt(1).isSuccess()).isFalse();
    }
    List<JournalEntry> last = command.view().lastTrouble();
    leave.countDown();
    holder.join();

    assertThat(last).hasSize(2);
    assertThat(last.get(0)).isInstanceOf(JournalEntry.CallRefused.class);
    assertThat(((JournalEntry.CallRefused) last.get(0)).refusal())
        .isEqualTo(new CallRefusal(CommandRejectedException.Reason.SEMAPHORE, "Full", 1, 1));
    assertThat(last.get(0).text())
        .isEqualTo("call refused: semaphore Full had no permit left (1 in flight, 1 allowed)");
    for (int i = 0; i < 40; i++) { // bounded
      time.advanceMillis(500);
      tenrec.set("tenrec.command.Full.execution.isolation.semaphore.maxConcurrentRequests", "0");
      assertThat(command.attempt(1).isSuccess()).isFalse();
    }
    assertThat(command.view().lastTrouble()).hasSize(16);
  }

  @Test
  void lastTrouble_ofCallsThatComeTooLate_hasOneOfAKindInAnInterval() {
    Command<Integer, Integer> command =
        tenrec
            .command(
                "Late",
                (Integer millis) -> {
                  time.advanceMillis(millis);
                  return millis;
                })
            .isolation(Isolation.semaphore(1))
            .withoutCircuitBreaker()
            .timeout(Duration.ofMillis(10))
            .withDeadline()
            .build();
    for (int interval = 0; interval < 2; interval++) {
      for (int i = 0; i < 3; i++) {
        assertThat(command.attempt(10).isSuccess()).isFalse();
        try (Scope scope = Deadline.after(tenrec, Duration.ofMillis(5)).open()) {
          assertThat(command.attempt(5).isSuccess()).isFalse();
        }
      }
      time.advanceMillis(500);
    }

    assertThat(command.view().lastTrouble())
        .extracting(entry -> entry.getClass().getSimpleName())
        .containsExactly(
            "CallTimedOut", "CallBeyondDeadline", "CallTimedOut", "CallBeyondDeadline");
  }

  @Test
  void lastTrouble_ofARefusalAfterTheLimitWasLowered_saysHowManyAreInFlightAllTheSame() {
    CompletableFuture<Integer> leave = new CompletableFuture<>();
    Command<Integer, Integer> command =
        tenrec
            .asyncCommand("Lowered", (Integer i) -> leave.thenApply(x -> x))
            .isolation(Isolation.semaphore(2))
            .withoutTimeout()
            .build();
    CompletableFuture<Integer> first = command.executeAsync(1);
    CompletableFuture<Integer> second = command.executeAsync(2);
    tenrec.set("tenrec.command.Lowered.execution.isolation.semaphore.maxConcurrentRequests", "1");
    assertThat(command.attempt(3).isSuccess()).isFalse();
    leave.complete(0);

    assertThat(first).isCompleted();
    assertThat(second).isCompleted();
    assertThat(command.view().lastTrouble())
        .singleElement()
        .isInstanceOfSatisfying(
            JournalEntry.CallRefused.class,
            refused ->
                assertThat(refused.refusal())
                    .isEqualTo(
                        new CallRefusal(
                            CommandRejectedException.Reason.SEMAPHORE, "Lowered", 2, 1)));
  }

  /** It is the end of the command, and no trouble of it. */
  @Test
  void lastTrouble_ofACallAfterTheCommandWasRemoved_isNone() {
    Command<Integer, Integer> command =
        tenrec.command("Removed", (Integer i) -> i).isolation(Isolation.semaphore(1)).build();
    assertThat(tenrec.remove("Removed")).isTrue();
    assertThat(command.attempt(1).isSuccess()).isFalse();

    assertThat(command.view().lastTrouble()).isEmpty();
  }

  /** What happens to calls is kept apart from what happens to settings; both have one order. */
  @Test
  void journal_ofARefusalAndASettingAfterIt_hasThemInOrder() {
    Command<Integer, Integer> command =
        tenrec
            .command("Refusing", OperatorViewTest::failOnOdd)
            .isolation(Isolation.semaphore(0))
            .build();
    assertThat(command.attempt(2).isSuccess()).isFalse();
    tenrec.set("tenrec.command.Refusing.fallback.enabled", "false");

    List<JournalEntry> journal = command.view().journal();
    assertThat(journal).extracting(JournalEntry::number).isSorted();
    assertThat(journal).hasSize(2);
    assertThat(journal.get(0)).isInstanceOf(JournalEntry.CallRefused.class);
    assertThat(journal.get(1)).isInstanceOf(JournalEntry.SettingChanged.class);
  }

  @Test
  void lastTrouble_ofAFallbackThatFoundNoRoom_hasIt() {
    Command<Integer, Integer> command =
        tenrec
            .command("Falling", OperatorViewTest::failOnOdd)
            .isolation(Isolation.semaphore(1))
            .withoutCircuitBreaker()
            .fallback((argument, cause) -> 0)
            .fallbackLimit(0)
            .build();
    assertThat(command.attempt(1).isSuccess()).isFalse();

    assertThat(command.view().lastTrouble())
        .singleElement()
        .isInstanceOfSatisfying(
            JournalEntry.CallRefused.class,
            refused ->
                assertThat(refused.refusal().reason())
                    .isEqualTo(CommandRejectedException.Reason.FALLBACK));
  }

  @Test
  void fallbacks_atWork_areInTheView() {
    HeldWork held = HeldWork.polite();
    Command<String, String> command =
        tenrec
            .<String, String>command(
                "Falling",
                (String argument) -> {
                  throw DOWN;
                })
            .isolation(Isolation.semaphore(5))
            .fallback((argument, cause) -> held.run(argument))
            .fallbackLimit(3)
            .build();
    CompletableFuture<String> call = Elsewhere.call(() -> command.execute("x"));
    held.awaitRunning(1);

    assertThat(command.view().fallbackConcurrency()).isOne();
    assertThat(command.view().fallbackConcurrencyLimit()).isEqualTo(3);
    assertThat(command.view().snapshot().fallbackConcurrencyLimit()).isEqualTo(3);
    held.letGo();
    assertThat(call.join()).isEqualTo("x");
    assertThat(command.view().fallbackConcurrency()).isZero();
  }

  @Test
  void journalStream_subscribedWhileCallsRun_hasWhatComesFromThen() {
    Command<Integer, Integer> command = failing("Streamed");
    List<JournalEntry> seen = new CopyOnWriteArrayList<>();
    tenrec.set("tenrec.command.Streamed.fallback.enabled", "false");
    Disposable subscription = tenrec.journalStream().subscribe(seen::add);
    tenrec.set("tenrec.command.Streamed.fallback.enabled", "true");
    open(command);
    await().untilAsserted(() -> assertThat(seen).hasSize(2));
    assertThat(seen.get(0).text()).isEqualTo("fallback.enabled false -> true");
    assertThat(seen.get(1)).isInstanceOf(JournalEntry.CircuitChanged.class);
    subscription.dispose();
    tenrec.set("tenrec.command.Streamed.fallback.enabled", "false");
    assertThat(tenrec.journal()).hasSize(4);
    assertThat(seen).hasSize(2);
  }

  @Test
  void closeCircuit_ofAnOpenOne_isATransitionWithItsReason() {
    Command<Integer, Integer> command = failing("ByHand");
    assertThat(command.closeCircuit("not open")).isFalse();
    open(command);
    assertThat(tenrec.closeCircuit("ByHand", "the database is back, says ops")).isTrue();

    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
    assertThat(command.view().nextTrialAt()).isNull();
    assertThat(command.view().health().total()).isZero();
    Transition last = command.transitions().get(1);
    assertThat(last.reason()).isEqualTo(TransitionReason.CLOSED_BY_HAND);
    assertThat(last.explanation()).isEqualTo("closed by hand: the database is back, says ops");
    assertThat(command.execute(2)).isEqualTo(2);
    assertThat(command.view().journal().get(1).text())
        .isEqualTo("circuit OPEN -> CLOSED: closed by hand: the database is back, says ops");
    open(command); // and opens again by the same rules
  }

  /** Whatever a command is built as. */
  @Test
  void byHand_onEveryKindOfCommand_closesTheCircuitAndEmptiesTheWindows() {
    Guard guard =
        tenrec
            .guard("AGuard")
            .semaphore(1)
            .errorThreshold(50, 4)
            .property("metrics.healthSnapshot.intervalInMilliseconds", "100")
            .build();
    byHand(
        guard.view(),
        () -> guard.attempt(OperatorViewTest::fail),
        guard::closeCircuit,
        guard::resetMetrics);
    StreamCommand<Integer, Integer> stream =
        tenrec
            .streamCommand("AStream", (Integer i) -> Flowable.<Integer>error(DOWN))
            .isolation(Isolation.semaphore(1))
            .errorThreshold(50, 4)
            .property("metrics.healthSnapshot.intervalInMilliseconds", "100")
            .build();
    byHand(
        stream.view(),
        () -> stream.toFlowable(1).onErrorComplete().ignoreElements().blockingAwait(),
        stream::closeCircuit,
        stream::resetMetrics);
  }

  private void byHand(
      CommandDetails view, Runnable failing, Predicate<String> close, Runnable reset) {
    await()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              failing.run();
              time.advanceMillis(100); // until its health is looked at
              return view.circuitState() == CircuitState.OPEN;
            });
    assertThat(close.test("it is back")).isTrue();
    assertThat(view.circuitState()).isEqualTo(CircuitState.CLOSED);
    assertThat(view.transitions())
        .last()
        .extracting(Transition::explanation)
        .isEqualTo("closed by hand: it is back");
    assertThat(close.test("it is back")).isFalse();
    CommandTotals before = view.totals();
    assertThat(view.counts().rolling().get(EventType.FAILURE)).isPositive();
    reset.run();
    assertThat(view.counts().rolling()).hasToString("{}");
    assertThat(view.totals()).isEqualTo(before);
  }

  private static Integer fail() {
    throw DOWN;
  }

  private static List<Integer> failAll(List<Integer> all) {
    throw DOWN;
  }

  @Test
  void byHand_onACollapser_isDoneToItsBatchCommandToo() {
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapserByPosition("ACollapser", OperatorViewTest::failAll)
            .globalScope()
            .maxRequestsInBatch(1)
            .errorThreshold(50, 1)
            .property("metrics.healthSnapshot.intervalInMilliseconds", "100")
            .build();
    CommandDetails batches = tenrec.commands().get(0);
    await()
        .until(
            () -> {
              if (batches.circuitState() != CircuitState.OPEN) {
                CompletableFuture<Integer> member = collapser.executeAsync(1);
                await().until(member::isDone);
                time.advanceMillis(100); // until its health is looked at
              }
              return batches.circuitState() == CircuitState.OPEN;
            });
    assertThat(collapser.closeCircuit("it is back")).isTrue();
    assertThat(batches.circuitState()).isEqualTo(CircuitState.CLOSED);
    assertThat(collapser.view().snapshot().rollingMembers()).isPositive();
    await().until(() -> batches.concurrency() == 0); // a member may have its answer before that
    collapser.resetMetrics();
    assertThat(collapser.view().snapshot().rollingMembers()).isZero();
    assertThat(batches.counts().rolling()).hasToString("{}");
  }

  private void assertReset(String key) throws Exception {
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapserByPosition("Members", (List<Integer> all) -> all)
            .batchKey("Batches")
            .globalScope()
            .maxRequestsInBatch(1)
            .build();
    assertThat(collapser.executeAsync(1).get(PatientWaits.seconds(), TimeUnit.SECONDS)).isOne();
    CommandDetails batches = tenrec.commands().get(0);
    await().until(() -> batches.concurrency() == 0);
    assertThat(collapser.view().snapshot().rollingMembers()).isOne();

    tenrec.resetMetrics(key);

    assertThat(collapser.view().snapshot().rollingMembers()).isZero();
    assertThat(batches.counts().rolling()).hasToString("{}");
  }

  @Test
  void resetMetrics_ofACollapserWithABatchKey_isDoneToItsBatchCommandToo() throws Exception {
    assertReset("Members");
  }

  @Test
  void resetMetrics_ofABatchKey_isDoneToItsCollapserToo() throws Exception {
    assertReset("Batches");
  }

  /** It has nothing to do with the collapser but its name. */
  @Test
  void resetMetrics_ofACommandCalledAsACollapser_isDoneToBothOfThatName() throws Exception {
    Command<Integer, Integer> command = failing("Members");
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapserByPosition("Members", (List<Integer> all) -> all)
            .batchKey("Batches")
            .globalScope()
            .maxRequestsInBatch(1)
            .build();
    assertThat(command.execute(2)).isEqualTo(2);
    assertThat(collapser.executeAsync(1).get(PatientWaits.seconds(), TimeUnit.SECONDS)).isOne();

    tenrec.resetMetrics("Members");

    assertThat(command.view().counts().rolling()).hasToString("{}");
    assertThat(collapser.view().snapshot().rollingMembers()).isZero();
  }

  @Test
  void resetMetrics_ofNothing_saysSo() {
    assertThatThrownBy(() -> tenrec.resetMetrics("Nobody"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there is no command 'Nobody'");
  }

  @Test
  void closeCircuit_ofNoCommand_saysSo() {
    assertThatThrownBy(() -> tenrec.closeCircuit("Nobody", "why"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there is no command 'Nobody'");
  }

  @Test
  void resetMetrics_withTrouble_emptiesTheWindowsAndKeepsTheTotals() {
    Command<Integer, Integer> command = failing("Reset");
    assertThat(command.attempt(1).isSuccess()).isFalse();
    CommandTotals before = command.view().totals();
    tenrec.resetMetrics("Reset");
    assertThat(command.view().counts().rolling()).hasToString("{}");
    assertThat(command.view().health().total()).isZero();
    assertThat(command.view().executionLatency().count()).isZero();
    assertThat(command.view().totals()).isEqualTo(before);
    command.resetMetrics();
    tenrec.resetMetrics();
    assertThat(command.view().totals()).isEqualTo(before);
  }

  @Test
  void follow_aThousandCommandsMadeAndRemoved_leavesNothingBehind() {
    List<String> there = new ArrayList<>();
    List<String> pools = new ArrayList<>();
    failing("Before");
    try (var following =
        tenrec.follow(
            new InventoryListener() {
              @Override
              public void onCommandAdded(CommandDetails command) {
                there.add(command.key());
              }

              @Override
              public void onCommandRemoved(CommandDetails command) {
                assertThat(there.remove(command.key())).isTrue();
              }

              @Override
              public void onCollapserAdded(CollapserDetails collapser) {
                there.add("C" + collapser.key());
              }

              @Override
              public void onCollapserRemoved(CollapserDetails collapser) {
                assertThat(there.remove("C" + collapser.key())).isTrue();
              }

              @Override
              public void onPoolAdded(PoolDetails pool) {
                pools.add(pool.key());
              }

              @Override
              public void onPoolRemoved(PoolDetails pool) {
                assertThat(pools.remove(pool.key())).isTrue();
              }
            })) {
      assertThat(there).containsExactly("Before");
      for (int i = 0; i < 1_000; i++) {
        String key = "Removed" + i;
        if (i % 2 == 0) {
          tenrec.command(key, OperatorViewTest::failOnOdd).build();
        } else {
          tenrec.collapserByPosition(key, (List<Integer> all) -> all).build();
        }
        assertThat(tenrec.remove(key)).isTrue();
      }
      assertThat(there).containsExactly("Before");
      assertThat(pools).isEmpty();
    }
    failing("After");
    assertThat(there).containsExactly("Before");
  }
}
