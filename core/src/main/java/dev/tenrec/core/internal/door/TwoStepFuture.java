// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.door;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A future with two moments. First its ending is published: {@code get}, {@code join}, {@code
 * isDone} and their like see it. Then it is completed, and its dependents run. The first runs
 * nothing of the user's and takes no memory, so the thread that does it, the timer's perhaps,
 * cannot be held up; the second may be on another thread, and may be late. ({@code state}, which
 * Java 19 brought, sees the second moment only: its type cannot be named on Java 17.)
 *
 * <p>Completing it from outside gives the call up.
 *
 * @param <T> what it brings
 */
public abstract class TwoStepFuture<T extends @Nullable Object> extends CompletableFuture<T> {

  private static final VarHandle WAITERS;

  static {
    try {
      WAITERS =
          MethodHandles.lookup()
              .findVarHandle(TwoStepFuture.class, "waiters", CompletableFuture.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // The ending. Written once, by the thread that owns it, before published; read after that.
  private @Nullable T value;
  private @Nullable Throwable error;

  /**
   * Written by the owner of the ending before it looks at {@link #waiters}, read by threads that
   * wait after they have written {@link #waiters}, ordered by volatile access. At least one of the
   * two threads sees what the other did.
   */
  private volatile boolean published;

  /**
   * Made by the first thread that has to wait. Only waiting threads hang on it, so completing it
   * only wakes these.
   */
  private volatile @Nullable CompletableFuture<Boolean> waiters;

  /**
   * Shows the ending to every thread that looks or waits. By its owner, once, or again where that
   * failed for want of stack; runs no user code. {@link #deliver} has to follow.
   */
  final void publish(@Nullable T answer, @Nullable Throwable why) {
    value = answer;
    error = why;
    published = true;
    wakeWaiters();
  }

  /** Whether the ending is there. */
  final boolean isPublished() {
    return published;
  }

  /**
   * Completes this with what was published: runs its dependents. Called again, where there was no
   * memory or no stack for that, it goes on.
   */
  final void deliver() {
    wakeWaiters(); // in case that publishing had no stack for it
    if (error != null) {
      // a CancellationException counts as cancelled in this way, too, and keeps its words
      boolean unused = super.completeExceptionally(error);
    } else {
      boolean unused = super.complete(value());
    }
  }

  /**
   * Gives up what this is the future of, because it is to be completed from outside.
   *
   * @return false if the ending was decided before: it is on its way, and nothing else may be seen
   *     in its place
   */
  abstract boolean giveUp(boolean mayInterrupt);

  /**
   * {@link #deliver}, on the thread that has completed this from outside; later on another one, if
   * there is no memory for it now.
   */
  abstract void deliverOrLater();

  @SuppressWarnings("NullAway") // whether null is one of its values is for T to say
  private T value() {
    return value;
  }

  private void wakeWaiters() {
    CompletableFuture<Boolean> present = waiters;
    if (present != null) {
      boolean unused = present.complete(Boolean.TRUE);
    }
  }

  /** What ends when there is something to see. */
  private CompletableFuture<Boolean> awaited() {
    CompletableFuture<Boolean> present = waiters;
    if (present == null) {
      boolean unused = WAITERS.compareAndSet(this, null, new CompletableFuture<Boolean>());
      present = Objects.requireNonNull(waiters);
    }
    if (isDone()) {
      boolean unused = present.complete(Boolean.TRUE);
    }
    return present;
  }

  // What looks or waits.

  @Override
  public boolean isDone() {
    return published || super.isDone();
  }

  @Override
  public boolean isCancelled() {
    return super.isDone()
        ? super.isCancelled()
        : published && error instanceof CancellationException;
  }

  @Override
  public boolean isCompletedExceptionally() {
    return super.isDone() ? super.isCompletedExceptionally() : published && error != null;
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    if (!isDone()) {
      Boolean unused = awaited().get();
    }
    return super.isDone() ? super.get() : publishedOrThrow();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (!isDone()) {
      Boolean unused = awaited().get(timeout, unit);
    }
    return super.isDone() ? super.get() : publishedOrThrow();
  }

  private T publishedOrThrow() throws ExecutionException {
    Throwable why = error;
    if (why == null) {
      return value();
    }
    if (why instanceof CancellationException cancelled) {
      throw cancelled;
    }
    Throwable cause = why.getCause();
    throw new ExecutionException(why instanceof CompletionException && cause != null ? cause : why);
  }

  @Override
  public T join() {
    if (!isDone()) {
      Boolean unused = awaited().join();
    }
    return super.isDone() ? super.join() : publishedOrUnchecked();
  }

  @Override
  public T getNow(T valueIfAbsent) {
    return super.isDone() || !published ? super.getNow(valueIfAbsent) : publishedOrUnchecked();
  }

  private T publishedOrUnchecked() {
    Throwable why = error;
    if (why == null) {
      return value();
    }
    if (why instanceof CancellationException cancelled) {
      throw cancelled;
    }
    throw why instanceof CompletionException completed ? completed : new CompletionException(why);
  }

  /** As {@code Future} has it from Java 19 on. */
  public T resultNow() {
    if (!isDone() || isCompletedExceptionally()) {
      throw new IllegalStateException(
          isDone() ? "the call has failed: see exceptionNow" : "the call has not ended yet");
    }
    return join();
  }

  /** As {@code Future} has it from Java 19 on. */
  public Throwable exceptionNow() {
    if (!isCompletedExceptionally() || isCancelled()) {
      throw new IllegalStateException(
          isDone() ? "the call has a result, or was cancelled" : "the call has not ended yet");
    }
    try {
      T unused = get();
    } catch (ExecutionException | InterruptedException e) {
      return e.getCause() == null ? e : e.getCause();
    }
    throw new IllegalStateException("the result was replaced meanwhile");
  }

  // What completes it from outside.

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    CancellationException cancelled = new CancellationException(); // first: nothing fails after it
    if (!isDone() && giveUp(mayInterruptIfRunning)) {
      publish(null, cancelled);
      deliverOrLater();
    }
    return isCancelled();
  }

  @Override
  public boolean complete(T answer) {
    if (isDone() || !giveUp(true)) {
      return false;
    }
    publish(answer, null);
    deliverOrLater();
    return true;
  }

  @Override
  public boolean completeExceptionally(Throwable why) {
    Objects.requireNonNull(why, "error");
    if (isDone() || !giveUp(true)) {
      return false;
    }
    publish(null, why);
    deliverOrLater();
    return true;
  }

  /** Runs the supplier there, and completes this from outside with what it returns. */
  @Override
  public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
    Objects.requireNonNull(supplier, "supplier");
    executor.execute(
        () -> {
          if (isDone()) {
            return;
          }
          T answer;
          try {
            answer = supplier.get();
          } catch (Throwable thrown) { // wrapped, as the JDK does it
            boolean unused = completeExceptionally(new CompletionException(thrown));
            return;
          }
          boolean unused = complete(answer);
        });
    return this;
  }

  @Override
  public void obtrudeValue(T answer) {
    boolean gaveUp = !isDone() && giveUp(true); // forced on every thread that looks, decided or not
    super.obtrudeValue(answer);
    wakeWaiters();
    if (gaveUp) {
      deliverOrLater(); // nothing, but that it lets go of the call
    }
  }

  @Override
  public void obtrudeException(Throwable why) {
    boolean gaveUp = !isDone() && giveUp(true);
    super.obtrudeException(why);
    wakeWaiters();
    if (gaveUp) {
      deliverOrLater();
    }
  }

  /** Stages that depend on this one are ordinary: completing them does not touch the call. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
