// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Scenario.Caller;
import dev.tenrec.core.kit.Steps;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.PatientWaits;
import io.reactivex.rxjava3.core.SingleObserver;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.observers.TestObserver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever listeners do, the call goes its way. */
class ListenerConductTest {

  /** Throws at every step: an Error of the JVM, an error, a checked exception. */
  private static final class Throwing extends Steps {

    private final AtomicInteger times = new AtomicInteger();

    @Override
    public void step(String step, ListenedCall call, @Nullable Object what) {
      switch (times.getAndIncrement() % 3) {
        case 0 -> throw new StackOverflowError("listener");
        case 1 -> throw new AssertionError("listener");
        default -> Throwing.<RuntimeException>raise(new IOException("listener"));
      }
    }

    @SuppressWarnings("unchecked") // as other JVM languages do without a word
    private static <X extends Throwable> void raise(Throwable thrown) throws X {
      throw (X) thrown;
    }
  }

  private final Steps.Recorded steps = new Steps.Recorded();

  static Stream<Arguments> everywhere() {
    return Scenario.everywhere();
  }

  static Stream<Way> ways() {
    return Way.all().stream();
  }

  private static CommandBuilder<String, String> echo(Scenario scenario) {
    return scenario
        .command(
            argument -> {
              if (argument.startsWith("fail")) {
                throw new IOException(argument);
              }
              return argument;
            })
        .fallback(
            (argument, cause) -> {
              if (argument.equals("fail all")) {
                throw new IllegalStateException(argument);
              }
              return "instead";
            });
  }

  /** Rows 248 to 251: nothing is replaced, and the next listener is notified. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void throwingListener_anyStep_changesNothing(Way way, Door door) throws Exception {
    Throwing throwing = new Throwing();
    TenrecBuilder builder = Unhurried.builder().listen(throwing).listen(steps).listen(throwing);
    try (Scenario scenario = new Scenario(way, door, builder)) { // checks permits and counts
      Command<String, String> command = echo(scenario).build();

      assertThat(scenario.call(command, "a").value()).isEqualTo("a");
      assertThat(scenario.call(command, "fail").value()).isEqualTo("instead");
      Answer answer = scenario.call(command, "fail all");
      assertThat(answer.error()).isInstanceOf(IOException.class).hasMessage("fail all");
      assertThat(answer.error().getSuppressed()).isEmpty();
      assertThat(steps.names()).filteredOn(Steps.ENDINGS::contains).hasSize(3);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void throwingListener_timeOutAndCancellation_endOnce(Way way, Door door) throws Exception {
    Throwing throwing = new Throwing();
    try (Scenario scenario =
        new Scenario(way, door, Unhurried.builder().listen(throwing).listen(steps))) {
      String interrupts = "execution.isolation.thread.interruptOnFutureCancel";
      Answer late = scenario.call(scenario.late().property(interrupts, "true").build(), "a");
      assertThat(late.error()).isInstanceOf(CommandTimeoutException.class);
      assertThat(steps.names()).contains("error");
      Caller caller = scenario.start(scenario.held().property(interrupts, "true").build(), "a");
      scenario.begun.await();
      caller.giveUp().answer();

      assertThat(steps.names())
          .filteredOn(Steps.ENDINGS::contains)
          .containsExactly("error", "cancel");
    }
  }

  /** Once for each listener and method, with the command's key. */
  @Test
  void throwingListener_ofEachKind_isLoggedOnce() {
    String log =
        logOf(
            () -> {
              try (Tenrec tenrec =
                  Unhurried.builder().listen(new Throwing()).listen(new Throwing()).build()) {
                Command<String, String> command =
                    tenrec
                        .command("LoggedOnce", (String s) -> s)
                        .cacheKey(s -> s)
                        .isolation(Isolation.semaphore(10))
                        .build();
                try (RequestContext request = tenrec.openRequest()) {
                  for (String argument : List.of("a", "b", "c", "a", "b")) {
                    command.execute(argument);
                  }
                }
              }
            });
    Matcher lines =
        Pattern.compile("LoggedOnce: listener \\S+Throwing threw at (\\w+)").matcher(log);
    assertThat(lines.results().map(line -> line.group(1)))
        .containsExactlyInAnyOrder(
            "onStart",
            "onStart",
            "onWorkStart",
            "onWorkStart",
            "onWorkSuccess",
            "onWorkSuccess",
            "onSuccess",
            "onSuccess",
            "onCacheHit",
            "onCacheHit");
  }

  private static String logOf(Runnable action) {
    PrintStream before = System.err;
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    try {
      action.run();
    } finally {
      System.setErr(before);
    }
    return written.toString(StandardCharsets.UTF_8);
  }

  @Test
  void severalListeners_eachStep_areNotifiedInTheOrderOfTheirRegistration() {
    List<String> notified = new CopyOnWriteArrayList<>();
    TenrecBuilder builder = Unhurried.builder();
    for (String name : List.of("first", "second", "third")) {
      builder.listen(
          new Steps() {
            @Override
            public void step(String step, ListenedCall call, @Nullable Object what) {
              notified.add(name + " " + step);
            }
          });
    }
    try (Tenrec tenrec = builder.build()) {
      tenrec.guard("Guard").semaphore(1).build().call(() -> 1);
    }
    assertThat(notified)
        .containsExactly(
            "first start",
            "second start",
            "third start",
            "first work start",
            "second work start",
            "third work start",
            "first work success",
            "second work success",
            "third work success",
            "first success",
            "second success",
            "third success");
  }

  /** It calls commands itself, the same one too, and is notified of these. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void listener_thatCallsCommands_isNotifiedOfThem(Way way, Door door) throws Exception {
    AtomicReference<@Nullable Command<String, String>> other = new AtomicReference<>();
    Steps calling =
        new Steps() {
          @Override
          public void step(String step, ListenedCall call, @Nullable Object what) {
            if (call.commandKey().equals("Subject")) {
              assertThat(other.get().execute(step)).isEqualTo(step);
            }
          }
        };
    Steps.Recorded others = new Steps.Recorded("Other");
    try (Scenario scenario =
        new Scenario(way, door, Unhurried.builder().listen(calling).listen(steps).listen(others))) {
      other.set(
          scenario
              .tenrec
              .command("Other", (String s) -> s)
              .isolation(Isolation.semaphore(10))
              .build());

      assertThat(scenario.call(echo(scenario).build(), "fail").value()).isEqualTo("instead");
      List<String> reported = steps.names(); // first: each of these has called the other
      assertThat(others.names()).filteredOn("success"::equals).hasSameSizeAs(reported);
    }
  }

  /** An interrupt that came before is the call's, not the listener's. */
  @ParameterizedTest
  @EnumSource(Door.class)
  void listener_thatSwallowsInterrupts_takesNone(Door door) throws Exception {
    Steps swallowing =
        new Steps() {
          @Override
          public void step(String step, ListenedCall call, @Nullable Object what) {
            boolean unused = Thread.interrupted();
          }
        };
    try (Scenario scenario =
        new Scenario(Way.SEMAPHORE, door, Unhurried.builder().listen(swallowing))) {
      Thread.currentThread().interrupt();
      boolean seen =
          "true"
              .equals(
                  scenario
                      .call(
                          scenario
                              .command(a -> String.valueOf(Thread.currentThread().isInterrupted()))
                              .build(),
                          "a")
                      .value());
      boolean kept = Thread.interrupted(); // for the next test
      assertThat(seen).isTrue();
      assertThat(kept).isTrue();
    }
  }

  /** One that blocks when the work has answered keeps no caller from its time-out. */
  @Test
  void listener_thatBlocksAtTheWorksSuccess_holdsUpNoTimeOut() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(1);
    CommandListener blocking =
        new CommandListener() {
          @Override
          public void onWorkSuccess(ListenedCall call, @Nullable Object value) {
            blocked.countDown();
            Uninterruptibly.await(release);
          }
        };
    try (Scenario scenario =
        new Scenario(Way.POOL, Door.EXECUTE, Unhurried.builder().listen(blocking).listen(steps))) {
      Command<String, String> command = scenario.command(argument -> argument).build();
      Caller caller = scenario.start(command, "a");
      blocked.await();
      assertThat(command.view().concurrency()).isZero(); // the permit is back
      caller.awaitWaiting();
      scenario.time.advance(Scenario.TIMEOUT);
      assertThat(caller.answer().error()).isInstanceOf(CommandTimeoutException.class);
      release.countDown();

      Scenario.await().until(() -> steps.namesSoFar().contains("thread end"));
      assertThat(steps.names())
          .filteredOn(step -> !step.equals("thread end"))
          .containsExactly("start", "thread start", "work start", "work success", "error");
    }
  }

  /** Blocks at the endings of one command, until it is released. */
  private static final class BlockingAtEndings extends Steps {

    final CountDownLatch blocked = new CountDownLatch(1);
    final CountDownLatch release = new CountDownLatch(1);

    @Override
    public void step(String step, ListenedCall call, @Nullable Object what) {
      if (call.commandKey().equals("Subject") && ENDINGS.contains(step)) {
        blocked.countDown();
        Uninterruptibly.await(release);
      }
    }
  }

  /** The one thread of its command's share is taken: no answer waits for it, nor another share. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void listener_thatBlocksAtAnEnding_holdsUpNoAnswerAndNoOtherCommand(Way way, Door door)
      throws Exception {
    BlockingAtEndings blocking = new BlockingAtEndings();
    Steps.Recorded others = new Steps.Recorded("Other");
    TenrecBuilder builder =
        Unhurried.builder().callbacks(1, 0).listen(blocking).listen(steps).listen(others);
    try (Scenario scenario = new Scenario(way, door, builder)) {
      try {
        Command<String, String> command = echo(scenario).build();
        assertThat(scenario.call(command, "a").value()).isEqualTo("a");
        blocking.blocked.await();

        assertThat(scenario.call(command, "b").value()).isEqualTo("b");
        assertThat(scenario.call(command, "fail").value()).isEqualTo("instead");
        assertThat(scenario.call(command, "fail all").error()).isInstanceOf(IOException.class);
        assertThat(command.view().concurrency()).isZero();
        assertThat(steps.namesSoFar()).doesNotContainAnyElementsOf(Steps.ENDINGS);

        Command<String, String> other =
            scenario
                .tenrec
                .command("Other", (String s) -> s)
                .isolation(Isolation.semaphore(1))
                .build();
        assertThat(other.execute("c")).isEqualTo("c");
        assertThat(others.names())
            .containsExactly("start", "work start", "work success", "success");
      } finally {
        blocking.release.countDown();
      }
      assertThat(steps.names())
          .filteredOn(Steps.ENDINGS::contains)
          .containsExactlyInAnyOrder("success", "success", "success", "error");
    }
  }

  /** The same for calls that the timer ends: they are seen to have ended at their deadline. */
  @ParameterizedTest
  @MethodSource("ways")
  void listener_thatBlocksAtAnEnding_holdsUpNoTimeOut(Way way) throws Exception {
    BlockingAtEndings blocking = new BlockingAtEndings();
    TenrecBuilder builder = Unhurried.builder().callbacks(1, 0).listen(blocking).listen(steps);
    try (Scenario scenario = new Scenario(way, Door.EXECUTE, builder)) {
      try {
        assertThat(scenario.call(echo(scenario).build(), "a").value()).isEqualTo("a");
        blocking.blocked.await();

        Command<String, String> late = scenario.late().build();
        scenario.count(late);
        CompletableFuture<String> future = late.executeAsync("a");
        assertThatThrownBy(() -> future.get(PatientWaits.seconds(), TimeUnit.SECONDS))
            .hasCauseInstanceOf(CommandTimeoutException.class);
        assertThat(future).isDone();
        assertThat(scenario.call(late, "a").error()).isInstanceOf(CommandTimeoutException.class);
      } finally {
        blocking.release.countDown();
      }
      assertThat(steps.names())
          .filteredOn(Steps.ENDINGS::contains)
          .containsExactly("success", "error", "error");
    }
  }

  /** Nor does an ending wait for what hangs on its future. */
  @Test
  void ending_whileADependentBlocks_isReported() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(1);
    TenrecBuilder builder = Unhurried.builder().listen(steps);
    try (Scenario scenario = new Scenario(Way.POOL, Door.EXECUTE_ASYNC, builder)) {
      try {
        Command<String, String> command = scenario.held().build();
        scenario.count(command);
        CompletableFuture<Void> dependent =
            command
                .executeAsync("a")
                .thenRun(
                    () -> {
                      blocked.countDown();
                      Uninterruptibly.await(release);
                    });
        scenario.release.complete("b");
        blocked.await();
        assertThat(steps.only("success").what()).isEqualTo("b");
        assertThat(dependent).isNotDone();
      } finally {
        release.countDown();
      }
    }
  }

  /** The call was over before it was reported: its figures are those of the answer. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void elapsed_atTheEnding_isHowLongTheAnswerTook(Way way, Door door) throws Exception {
    List<Duration> elapsed = new CopyOnWriteArrayList<>();
    AtomicReference<@Nullable Scenario> made = new AtomicReference<>();
    CommandListener slow =
        new CommandListener() {
          @Override
          public void onSuccess(ListenedCall call, @Nullable Object value) {
            made.get().time.advanceMillis(50);
            elapsed.add(call.elapsed());
          }
        };
    try (Scenario scenario =
        new Scenario(way, door, Unhurried.builder().listen(slow).listen(steps))) {
      made.set(scenario);
      scenario.call(
          scenario
              .command(
                  argument -> {
                    scenario.time.advanceMillis(3);
                    return argument;
                  })
              .build(),
          "a");
      assertThat(steps.names()).contains("success");
      assertThat(elapsed).containsExactly(Duration.ofMillis(3));
    }
  }

  /** One that blocks on the pool's thread keeps no caller from its time-out. */
  @Test
  void listener_thatBlocksOnThePoolsThread_holdsUpNoTimeOut() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(1);
    CommandListener blocking =
        new CommandListener() {
          @Override
          public void onThreadStart(ListenedCall call) {
            blocked.countDown();
            Uninterruptibly.await(release);
          }
        };
    try (Scenario scenario =
        new Scenario(Way.POOL, Door.EXECUTE, Unhurried.builder().listen(blocking).listen(steps))) {
      Caller caller =
          scenario.start(
              scenario
                  .command(argument -> argument)
                  .fallback((argument, cause) -> "instead")
                  .build(),
              "a");
      blocked.await();
      scenario.time.advance(Scenario.TIMEOUT);
      assertThat(caller.answer().value()).isEqualTo("instead");
      release.countDown();
      Scenario.await().until(() -> steps.namesSoFar().contains("thread end"));
      assertThat(steps.names()).filteredOn(Steps.ENDINGS::contains).containsExactly("success");
    }
  }

  /** Given up by its start's own listener: the start comes first all the same. */
  @Test
  void disposal_duringTheStart_isReportedAfterIt() {
    AtomicReference<@Nullable Disposable> subscription = new AtomicReference<>();
    CommandListener disposing =
        new CommandListener() {
          @Override
          public void onStart(ListenedCall call) {
            subscription.get().dispose();
          }
        };
    try (Tenrec tenrec = Unhurried.builder().listen(disposing).listen(steps).build()) {
      Command<String, String> command = tenrec.command("Subject", (String s) -> s).build();
      command
          .toSingle("a")
          .subscribe(
              new SingleObserver<String>() {
                @Override
                public void onSubscribe(Disposable d) {
                  subscription.set(d);
                }

                @Override
                public void onSuccess(String value) {
                  throw new AssertionError(value);
                }

                @Override
                public void onError(Throwable error) {
                  throw new AssertionError(error);
                }
              });
      assertThat(steps.names()).containsExactly("start", "cancel");
      assertThat(command.view().concurrency()).isZero();
    }
  }

  /** It never began for anybody. */
  @Test
  void disposal_beforeTheStart_isNotReported() {
    try (Tenrec tenrec = Unhurried.builder().listen(steps).build()) {
      Command<String, String> command = tenrec.command("Subject", (String s) -> s).build();
      TestObserver<String> observer = new TestObserver<>();
      observer.dispose();
      command.toSingle("a").subscribe(observer);
      assertThat(steps.names()).isEmpty();
    }
  }

  @Test
  void batchOfACollapser_isACallOfItsCommand() {
    Steps.Recorded ofBatch = new Steps.Recorded("Users");
    try (Tenrec tenrec = Unhurried.builder().listen(ofBatch).build()) {
      Collapser<Integer, String> users =
          tenrec
              .collapser(
                  "Users",
                  (List<Integer> ids) ->
                      ids.stream().collect(Collectors.toMap(id -> id, id -> "u" + id)))
              .maxRequestsInBatch(2)
              .timerDelay(Duration.ofHours(1)) // however late the second comes
              .globalScope()
              .build();
      var first = users.executeAsync(1);
      var second = users.executeAsync(2);
      assertThat(first.join() + second.join()).isEqualTo("u1u2");
      assertThat(ofBatch.names())
          .containsExactly(
              "start", "thread start", "work start", "work success", "thread end", "success");
    }
  }

  @Test
  void stageOnAPool_leavesItsThreadBeforeItsWorkEnds() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    try (Tenrec tenrec = Unhurried.builder().listen(steps).build()) {
      Command<String, String> command =
          tenrec
              .asyncCommand("Subject", (String s) -> stage)
              .isolation(Isolation.threadPool().coreSize(1))
              .withoutTimeout()
              .build();
      var future = command.executeAsync("a");
      await().until(() -> steps.namesSoFar().contains("thread end"));
      await().until(() -> stage.getNumberOfDependents() > 0); // it is followed after that
      stage.complete("b");
      assertThat(future.join()).isEqualTo("b");
      assertThat(steps.names())
          .containsExactly(
              "start", "thread start", "work start", "thread end", "work success", "success");
      assertThat(steps.only("work success").thread()).isSameAs(Thread.currentThread());
    }
  }
}
