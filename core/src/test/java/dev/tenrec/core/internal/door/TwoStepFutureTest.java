// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tenrec.core.kit.Scenario;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** The two moments of a future, each by itself, and what comes from outside between them. */
class TwoStepFutureTest {

  private static final IOException DOWN = new IOException("down", new IllegalStateException());

  /** Of a call that may have been decided already. */
  private static final class Subject extends TwoStepFuture<String> {
    private final List<String> steps = new ArrayList<>();
    private boolean decided;

    @Override
    boolean giveUp(boolean mayInterrupt) {
      steps.add("give up");
      return !decided;
    }

    @Override
    void deliverOrLater() {
      steps.add("deliver");
      deliver();
    }
  }

  private final Subject future = new Subject();
  private final List<Object> seen = new CopyOnWriteArrayList<>();

  private static Subject published(Throwable error) {
    Subject subject = new Subject();
    subject.publish(null, error);
    return subject;
  }

  /** A thread that waits for the future, and writes down what it sees. */
  private Thread waiting() {
    Thread waiter =
        new Thread(
            () -> {
              try {
                seen.add(String.valueOf(future.join()));
              } catch (CompletionException e) {
                seen.add(e.getCause());
              }
            });
    waiter.setDaemon(true);
    waiter.start();
    Scenario.await().until(() -> waiter.getState() == Thread.State.WAITING);
    return waiter;
  }

  private void assertWoken(Thread waiter, Object saw) {
    Scenario.await().until(() -> !waiter.isAlive());
    assertThat(seen).containsExactly(saw);
  }

  @Test
  void getNow_always_seesWhatIsPublished() {
    assertThat(future.getNow("absent")).isEqualTo("absent");
    future.publish("x", null);
    assertThat(future.getNow("absent")).isEqualTo("x");
    future.deliver();
    assertThat(future.getNow("absent")).isEqualTo("x");
  }

  @Test
  void isCancelled_always_seesWhatIsPublished() {
    assertThat(future.isCancelled()).isFalse();

    Subject cancelled = published(new CancellationException("enough"));
    assertThat(cancelled.isCancelled()).isTrue();
    cancelled.deliver();
    assertThat(cancelled.isCancelled()).isTrue();

    Subject failed = published(DOWN);
    assertThat(failed.isCancelled()).isFalse();
    failed.deliver();
    assertThat(failed.isCancelled()).isFalse();
  }

  /** As the JDK's get does it, once the future is completed. */
  @Test
  void get_ofAPublishedError_unwrapsACompletionExceptionOnly() {
    CompletionException wrapping = new CompletionException(DOWN);
    CompletionException bare = new CompletionException("bare", null);

    for (boolean delivered : new boolean[] {false, true}) {
      assertThat(causeOf(wrapping, delivered)).isSameAs(DOWN);
      assertThat(causeOf(bare, delivered)).isSameAs(bare);
      assertThat(causeOf(DOWN, delivered)).isSameAs(DOWN);
    }
  }

  private static Throwable causeOf(Throwable error, boolean delivered) {
    Subject subject = published(error);
    if (delivered) {
      subject.deliver();
    }
    Throwable thrown = catchThrowable(subject::get);
    assertThat(thrown).isInstanceOf(ExecutionException.class);
    return thrown.getCause();
  }

  @Test
  void resultNow_andExceptionNow_sayWhyTheyHaveNothing() {
    assertThatThrownBy(future::resultNow).hasMessageContaining("not ended yet");
    assertThatThrownBy(future::exceptionNow).hasMessageContaining("not ended yet");
    assertThatThrownBy(published(DOWN)::resultNow).hasMessageContaining("has failed");
    assertThatThrownBy(published(new CancellationException())::exceptionNow)
        .hasMessageContaining("was cancelled");
    future.publish("x", null);
    assertThatThrownBy(future::exceptionNow).hasMessageContaining("has a result");
  }

  @Test
  void completeAsync_always_returnsTheFutureItself() {
    assertThat(future.completeAsync(() -> "outside", Runnable::run)).isSameAs(future);
    assertThat(future).isCompletedWithValue("outside");
    assertThat(future.steps).containsExactly("give up", "deliver");
  }

  /** The stack had no room for publishing it. */
  @Test
  void deliver_ofWhatNobodyWasShown_wakesThoseThatWait() {
    Thread waiter = waiting();

    future.deliver();

    assertWoken(waiter, "null");
  }

  @Test
  void obtrude_beforeTheEnding_givesTheCallUp_andLetsGoOfIt() {
    future.obtrudeValue("forced");
    assertThat(future).isCompletedWithValue("forced");
    assertThat(future.steps).containsExactly("give up", "deliver");

    Subject failing = new Subject();
    failing.obtrudeException(DOWN);
    assertThatThrownBy(failing::get).hasCause(DOWN);
    assertThat(failing.steps).containsExactly("give up", "deliver");
  }

  @Test
  void obtrude_afterTheEnding_leavesTheCallAlone() {
    future.publish("x", null);
    future.obtrudeValue("forced");
    assertThat(future.join()).isEqualTo("forced");
    future.obtrudeException(new CancellationException());
    assertThat(future.isCancelled()).isTrue();
    assertThat(future.steps).isEmpty();
  }

  /**
   * Decided, and not yet published: the call has nothing to deliver, and nobody else wakes them.
   */
  @Test
  void obtrudeValue_ofADecidedCall_wakesThoseThatWait() {
    future.decided = true;
    Thread waiter = waiting();

    future.obtrudeValue("forced");

    assertWoken(waiter, "forced");
    assertThat(future.steps).containsExactly("give up");
  }

  @Test
  void obtrudeException_ofADecidedCall_wakesThoseThatWait() {
    future.decided = true;
    Thread waiter = waiting();

    future.obtrudeException(DOWN);

    assertWoken(waiter, DOWN);
    assertThat(future.steps).containsExactly("give up");
  }
}
