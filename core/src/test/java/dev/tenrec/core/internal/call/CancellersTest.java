// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.kit.SwitchedLogging;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CancellersTest {

  private final Cancellers cancellers = new Cancellers();
  private final List<String> ran = new ArrayList<>();

  @Test
  void giveUp_afterSomeWereAdded_runsTheLastFirst() {
    cancellers.add(() -> ran.add("first"));
    cancellers.add(() -> ran.add("second"));

    cancellers.giveUp();

    assertThat(ran).containsExactly("second", "first");
  }

  /** As with work that was given up, ends, and registers on another thread. */
  @Test
  void add_afterItWasGivenUpAndThenForgotten_runsAtOnce() {
    cancellers.giveUp();
    cancellers.forget();

    cancellers.add(() -> ran.add("late"));

    assertThat(ran).containsExactly("late");
  }

  /** As with work that ended, and whose call is cancelled while it is at its fallback. */
  @Test
  void giveUp_afterTheWorkEnded_runsNothing() {
    cancellers.add(() -> ran.add("before"));
    cancellers.forget();
    cancellers.add(() -> ran.add("between"));

    cancellers.giveUp();
    cancellers.add(() -> ran.add("afterwards"));

    assertThat(ran).isEmpty();
  }

  @Test
  void isBareStage_onlyOfOneStageThatNothingElseHangsOn() {
    assertThat(cancellers.isBareStage()).isFalse();
    CompletableFuture<String> stage = new CompletableFuture<>();
    cancellers.add(new Cancellers.OfStage(stage));
    assertThat(cancellers.isBareStage()).isTrue();

    CompletableFuture<Void> ours = stage.thenRun(() -> {});
    assertThat(cancellers.isBareStage()).isTrue();
    CompletableFuture<Void> users = stage.thenRun(() -> {});
    assertThat(cancellers.isBareStage()).isFalse();
    stage.complete("x");
    assertThat(ours).isCompleted();
    assertThat(users).isCompleted();
  }

  /** Whatever its class does when it is cancelled. */
  @Test
  void isBareStage_ofAStageOfAnotherClass_isFalse() {
    cancellers.add(new Cancellers.OfStage(new CompletableFuture<String>() {}));

    assertThat(cancellers.isBareStage()).isFalse();
  }

  @Test
  void isBareStage_besideACanceller_isFalse() {
    cancellers.add(() -> ran.add("of the user"));
    cancellers.add(new Cancellers.OfStage(new CompletableFuture<>()));

    assertThat(cancellers.isBareStage()).isFalse();
  }

  @Test
  void canceller_thatThrows_isLogged_andTheNextOneRuns() throws Exception {
    SwitchedLogging.requireInstalled();
    List<String> logged = new ArrayList<>();
    Thread here = Thread.currentThread();
    cancellers.add(() -> ran.add("first"));
    cancellers.add(
        () -> {
          throw new IllegalStateException("on purpose");
        });

    try (AutoCloseable lines =
        SwitchedLogging.on(logger -> Thread.currentThread() != here || logged.add(logger))) {
      cancellers.giveUp();
    }

    assertThat(ran).containsExactly("first");
    assertThat(logged).containsExactly(Cancellers.class.getName());
  }
}
