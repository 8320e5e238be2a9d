// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the log has of a circuit, as the tests' logging writes it. */
class CircuitLogTest {

  private final ManualTime time = new ManualTime();
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();

  @BeforeEach
  void catchTheLog() {
    SwitchedLogging.requireInstalled();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void putItBack() {
    System.setErr(before);
  }

  private TenrecBuilder tenrec() {
    return Tenrec.builder().time(time, time);
  }

  private static Command<Integer, Integer> failing(Tenrec tenrec, String key) {
    return tenrec
        .command(key, (Integer i) -> Integer.parseInt("down"))
        .isolation(Isolation.semaphore(1))
        .errorThreshold(50, 4)
        .build();
  }

  private void open(Command<Integer, Integer> command) {
    for (int i = 0; i < 8 && command.view().circuitState() != CircuitState.OPEN; i++) {
      command.attempt(i);
      time.advanceMillis(500); // until its health is looked at
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

  private List<String> linesWith(String part) {
    return log.toString(StandardCharsets.UTF_8).lines().filter(l -> l.contains(part)).toList();
  }

  private List<String> awaitLinesWith(String part, int count) {
    await().until(() -> linesWith(part).size() >= count);
    assertThat(linesWith(part)).hasSize(count);
    return linesWith(part);
  }

  @Test
  void circuit_thatOpens_isOneLineAtWarnWithReasonAndNumbers() {
    try (Tenrec tenrec = tenrec().build()) {
      open(failing(tenrec, "Odd\nWARN forged"));
      assertThat(awaitLinesWith("forged", 1).get(0))
          .contains("WARN")
          .contains("Odd\\nWARN forged: circuit CLOSED -> OPEN: ")
          .contains("calls failed")
          .contains("limit 50 % from 4 calls on");
    }
  }

  /** The figures are those that the circuit decided on, whatever has happened since. */
  @Test
  void circuit_thatOpens_saysTheSameWhereverItIsAskedFor(@TempDir Path directory) throws Exception {
    List<Transition> heard = new CopyOnWriteArrayList<>();
    CommandListener listener =
        new CommandListener() {
          @Override
          public void onTransition(String commandKey, Transition transition) {
            heard.add(transition);
          }
        };
    List<JournalEntry> streamed = new CopyOnWriteArrayList<>();
    try (Recording recording = new Recording();
        Tenrec tenrec = tenrec().listen(listener).build()) {
      recording.enable("dev.tenrec.CircuitTransition");
      recording.start();
      var unused = tenrec.journalStream().subscribe(streamed::add);
      Command<Integer, Integer> command = failing(tenrec, "Broken");
      open(command);
      Transition opening = command.transitions().get(0);
      HealthSnapshot health = opening.health();
      command.resetMetrics(); // what has been counted since is not asked
      String why = opening.explanation();

      assertThat(health.total()).isPositive();
      assertThat(why)
          .isEqualTo(
              health.errors()
                  + " of "
                  + health.total()
                  + " calls failed and 0 were slow (100 %; limit 50 % from 4 calls on)");
      String text = "circuit CLOSED -> OPEN: " + why;
      assertThat(awaitLinesWith("Broken: circuit", 1).get(0)).endsWith("Broken: " + text);
      assertThat(command.view().journal()).extracting(JournalEntry::text).containsExactly(text);
      await().until(() -> !streamed.isEmpty() && !heard.isEmpty());
      assertThat(streamed).extracting(JournalEntry::text).containsExactly(text);
      assertThat(heard).containsExactly(opening);
      assertThat(tenrec.explain("Broken"))
          .startsWith("Broken: the circuit is open since " + opening.at() + ": " + why + ". ");
      assertThat(catchThrowableOfType(CircuitOpenException.class, () -> command.execute(1)))
          .satisfies(refusal -> assertThat(refusal.reason()).isEqualTo(why));
      recording.stop();
      Path file = directory.resolve("opening.jfr");
      recording.dump(file);
      assertThat(RecordingFile.readAllEvents(file))
          .filteredOn(event -> event.getEventType().getName().startsWith("dev.tenrec."))
          .extracting((RecordedEvent event) -> event.getString("explanation"))
          .containsExactly(why);
    }
  }

  @Test
  void circuit_whoseCommandsUserCodeBlocks_isInTheLogAllTheSame() {
    CountDownLatch leave = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(1);
    CommandListener blocking =
        new CommandListener() {
          @Override
          public void onTransition(String commandKey, Transition transition) {
            blocked.countDown();
            Uninterruptibly.await(leave);
          }
        };
    Tenrec tenrec = tenrec().listen(blocking).build();
    try {
      Command<Integer, Integer> command = failing(tenrec, "Watched");
      open(command);
      Uninterruptibly.await(blocked);
      assertThat(command.closeCircuit("it is back")).isTrue();
      open(command);
      awaitLinesWith("Watched: circuit CLOSED -> OPEN: ", 2);
      assertThat(leave.getCount()).isEqualTo(1);
    } finally {
      leave.countDown();
      Elsewhere.close(tenrec, time);
    }
  }

  @Test
  void logger_thatBlocks_holdsUpNoCallAndNoListener() throws Exception {
    CountDownLatch leave = new CountDownLatch(1);
    List<String> heard = new CopyOnWriteArrayList<>();
    CommandListener listener =
        new CommandListener() {
          @Override
          public void onTransition(String commandKey, Transition transition) {
            heard.add(commandKey);
          }
        };
    Tenrec tenrec = tenrec().listen(listener).build();
    try (AutoCloseable lines =
        SwitchedLogging.on(
            logger -> {
              if (logger.endsWith("CircuitLog")) {
                Uninterruptibly.await(leave);
              }
              return true;
            })) {
      open(failing(tenrec, "First"));
      open(failing(tenrec, "Second"));
      await().untilAsserted(() -> assertThat(heard).containsExactlyInAnyOrder("First", "Second"));
      leave.countDown();
      awaitLinesWith("First: circuit CLOSED -> OPEN", 1);
      awaitLinesWith("Second: circuit CLOSED -> OPEN", 1);
    } finally {
      leave.countDown();
      Elsewhere.close(tenrec, time);
    }
  }

  /** Of its last transition; 0 if it has made none. */
  private static long number(Command<Integer, Integer> command) {
    List<Transition> last = command.transitions();
    return last.isEmpty() ? 0 : last.get(last.size() - 1).number();
  }

  /** However late the threads come, they make one. */
  private static boolean goesOn(Command<Integer, Integer> command, long end) {
    long made = number(command);
    return made == 0 || made < 500 && System.nanoTime() - end < 0;
  }

  /** Threads that close by hand what others open, as soon as they see it. */
  @Test
  @Tag("race")
  void transitions_madeByManyThreads_areLoggedAndReportedInTheirOrder() throws Exception {
    List<Long> heard = new CopyOnWriteArrayList<>();
    CommandListener listener =
        new CommandListener() {
          @Override
          public void onTransition(String commandKey, Transition transition) {
            heard.add(transition.number());
          }
        };
    try (Tenrec tenrec = tenrec().listen(listener).build()) {
      Command<Integer, Integer> command =
          tenrec
              .command("Flapping", (Integer i) -> Integer.parseInt("down"))
              .isolation(Isolation.semaphore(10))
              .withoutTimeout() // a thread may be held up while the others move time on
              .errorThreshold(1, 1)
              .sleepWindow(Duration.ofMillis(1))
              .build();
      long end = System.nanoTime() + 1_500_000_000L;
      Runnable body =
          () -> {
            for (int i = 0; goesOn(command, end); i++) {
              command.attempt(i);
              if (i % 3 == 0) {
                boolean unused = command.closeCircuit("to and fro");
              }
              time.advanceMillis(1);
            }
          };
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        threads.add(new Thread(body, "flapping"));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      Elsewhere.close(tenrec, time); // the timer's thread may be about to open it once more
      long made = number(command);
      assertThat(made).isPositive();
      await().until(() -> heard.size() == made);
      assertThat(heard).isSorted().doesNotHaveDuplicates();
      assertThat(tenrec.journal())
          .extracting(entry -> ((JournalEntry.CircuitChanged) entry).transition().number())
          .isEqualTo(heard);
      List<String> openings = // the tests' logging has warnings only
          tenrec.journal().stream()
              .map(JournalEntry::text)
              .filter(text -> text.contains("-> OPEN: "))
              .toList();
      assertThat(awaitLinesWith("Flapping: circuit", openings.size()))
          .extracting(line -> line.substring(line.indexOf("circuit ")))
          .isEqualTo(openings);
    }
  }
}
