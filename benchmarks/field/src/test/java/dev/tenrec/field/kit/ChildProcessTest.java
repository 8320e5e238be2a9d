// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.metrics.PatientWaits;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** With real children, as small as they can be. */
class ChildProcessTest {

  @Test
  void ask_aReadyChild_hasItsAnswer_andItEndsWithItsInput() throws Exception {
    ChildProcess child = start(Obedient.class);

    assertThat(child.awaitReady(ChildProcess.START)).isEqualTo("at your service");
    assertThat(child.ask("count 41", PatientWaits.patience(), Long::valueOf))
        .containsExactly(Map.entry("next", 42L));
    child.say("later");
    assertThat(child.nextReport(PatientWaits.patience()))
        .containsExactly(Map.entry("after", "all"));
    assertThat(child.nextReport(Duration.ZERO)).isNull();
    child.close();

    assertThat(child.isAlive()).isFalse();
    assertThat(child.exitCode()).isZero();
    assertNothingIsLeft(child);
  }

  @Test
  void ask_whatIsWrong_isReported_andTheChildGoesOn() throws Exception {
    try (ChildProcess child = start(Obedient.class)) {
      String unused = child.awaitReady(ChildProcess.START);

      assertThatThrownBy(() -> child.ask("count x", PatientWaits.patience(), Long::valueOf))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the child said: wrong:")
          .hasMessageContaining("\"x\"");
      assertThatThrownBy(() -> child.ask("dance", PatientWaits.patience(), Long::valueOf))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no verb dance, expected one of [");
      assertThat(child.ask("count 1", PatientWaits.patience(), Long::valueOf))
          .containsEntry("next", 2L);
    }
  }

  @Test
  void awaitReady_neverReady_failsInTime_andLeavesNoProcess() throws Exception {
    ChildProcess child = start(NeverReady.class);

    // so that it is not the JVM's own start that is waited for
    await().atMost(PatientWaits.patience()).until(() -> child.processorTime().toMillis() > 0);
    assertThatThrownBy(() -> child.awaitReady(Duration.ofMillis(200)))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "the child hung and was ended by force: it was not ready after 0.2 s; it said");
    assertNothingIsLeft(child);
  }

  @Test
  void awaitReady_ofOneThatDies_reportsHowAndWhatItSaid() throws Exception {
    ChildProcess child = start(Unlucky.class);

    assertThatThrownBy(() -> child.awaitReady(ChildProcess.START))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "the child ended with exit code 2 before it was ready; it said: unlucky: out of luck");
    assertNothingIsLeft(child);
  }

  @Test
  void awaitReady_interrupted_killsTheChild() throws Exception {
    ChildProcess child = start(NeverReady.class);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread waiting =
        new Thread(
            () -> {
              try {
                String unused = child.awaitReady(ChildProcess.START);
              } catch (IOException | InterruptedException ended) {
                thrown.set(ended);
              }
            });
    waiting.start();
    await()
        .atMost(PatientWaits.patience())
        .until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
    waiting.interrupt();
    waiting.join(PatientWaits.patience().toMillis());

    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    assertNothingIsLeft(child);
  }

  @Test
  void ask_ofOneThatHangs_failsInTime_andEndsItByForce() throws Exception {
    ChildProcess child = start(Obedient.class);
    String unused = child.awaitReady(ChildProcess.START);

    assertThatThrownBy(() -> child.ask("hang", Duration.ofMillis(200), Long::valueOf))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "the child hung and was ended by force: no answer to 'hang' after 0.2 s; it said");
    child.close();
    assertNothingIsLeft(child);
  }

  @Test
  void ask_ofOneThatDies_reportsHowAndWhatItSaid() throws Exception {
    try (ChildProcess child = start(Obedient.class)) {
      String unused = child.awaitReady(ChildProcess.START);

      assertThatThrownBy(() -> child.ask("die", PatientWaits.patience(), Long::valueOf))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "the child ended with exit code 7 before it was asked to; it said: of no concern to"
                  + " the other program / farewell");
      assertThatThrownBy(child::requireAlive)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("exit code 7");
    }
  }

  @Test
  void parent_interruptedInAStart_leavesNoChild() throws Exception {
    Process parent = ChildJvm.start(16, Parent.class, List.of(NeverReady.class.getName()));
    ProcessHandle child = childOf(parent);

    // which a JVM takes as it takes Ctrl-C
    assertThat(parent.toHandle().destroy()).isTrue();
    await().atMost(PatientWaits.patience()).until(() -> !parent.isAlive() && !child.isAlive());
  }

  @Test
  void parent_killed_leavesNoChild() throws Exception {
    Process parent = ChildJvm.start(16, Parent.class, List.of(Obedient.class.getName()));
    ProcessHandle child = childOf(parent);

    Process unused = parent.destroyForcibly();
    await().atMost(PatientWaits.patience()).until(() -> !parent.isAlive() && !child.isAlive());
  }

  private static ProcessHandle childOf(Process parent) throws IOException {
    BufferedReader out = parent.inputReader();
    return ProcessHandle.of(Long.parseLong(out.readLine())).orElseThrow();
  }

  private static ChildProcess start(Class<?> main) throws IOException {
    return ChildProcess.start("child", 16, List.of(), main, List.of());
  }

  private static void assertNothingIsLeft(ChildProcess child) {
    await()
        .atMost(PatientWaits.patience())
        .untilAsserted(
            () -> {
              assertThat(child.isAlive()).isFalse();
              assertThat(Thread.getAllStackTraces().keySet())
                  .extracting(Thread::getName)
                  .doesNotContain("listening-to-child", "listening-to-errors-of-child");
            });
  }

  /** Does what it is asked. */
  static final class Obedient {

    public static void main(String[] arguments) {
      Lifeline.run(
          "obedient",
          () -> {
            System.out.println("of no concern to the other program");
            return new Lifeline.Service("at your service", VERBS, () -> {});
          });
    }

    private static final Map<String, Lifeline.Verb> VERBS =
        Map.of(
            "count", rest -> Map.of("next", Long.parseLong(rest) + 1),
            "later",
                rest -> {
                  new Thread(() -> Lifeline.report(Map.of("after", "all"))).start();
                  return null;
                },
            "hang",
                rest -> {
                  new CountDownLatch(1).await();
                  return Map.of();
                },
            "die",
                rest -> {
                  System.err.println("farewell");
                  Runtime.getRuntime().halt(7);
                  return Map.of();
                });
  }

  /** Neither says anything, nor looks at its input. */
  static final class NeverReady {

    public static void main(String[] arguments) throws InterruptedException {
      new CountDownLatch(1).await();
    }
  }

  /** Cannot start. */
  static final class Unlucky {

    public static void main(String[] arguments) {
      Lifeline.run(
          "unlucky",
          () -> {
            throw new IllegalStateException("out of luck");
          });
    }
  }

  /** Has a child of the class it is given, says which process it is, and waits for good. */
  static final class Parent {

    public static void main(String[] arguments) throws Exception {
      Class<?> main = Class.forName(arguments[0]);
      try (ChildProcess child = ChildProcess.start("grandchild", 16, List.of(), main, List.of())) {
        System.out.println(child.pid());
        String unused = child.awaitReady(ChildProcess.START);
        new CountDownLatch(1).await();
      }
    }
  }
}
