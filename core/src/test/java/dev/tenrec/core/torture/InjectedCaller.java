// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.kit.Elsewhere;
import io.reactivex.rxjava3.disposables.Disposable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The one caller of an {@link InjectedScenario}, on a thread of its own, and what it saw. */
final class InjectedCaller {

  private static final ThreadLocal<String> TENANT = new ThreadLocal<>();

  final Thread thread;

  /** Written by the thread that gets the ending. */
  private final AtomicInteger endings = new AtomicInteger();

  // Written by the thread that is answered first, the flag last; read by the test.
  private volatile @Nullable Object value;
  private volatile @Nullable Throwable error;
  private volatile boolean answered;

  // Written by the caller's thread, read by the test.
  private volatile boolean left;
  private volatile boolean threw;
  private volatile boolean interrupted;
  private volatile boolean tenantKept;
  private volatile @Nullable Runnable abandonment;

  /** Calls at once. */
  InjectedCaller(InjectedSubject subject, InjectedDoor door) {
    thread = Elsewhere.start(() -> call(subject, door));
  }

  private void call(InjectedSubject subject, InjectedDoor door) {
    TENANT.set("caller's");
    try {
      door.call(subject, this);
    } catch (Throwable thrown) { // the ending, or, of a door that never throws, in its place
      threw = true;
      ends(null, thrown);
    }
    interrupted = Thread.currentThread().isInterrupted();
    tenantKept = "caller's".equals(TENANT.get());
    left = true;
  }

  /** What is bound to the current thread, as the propagator of these tests knows it. */
  static ThreadLocal<String> tenant() {
    return TENANT;
  }

  /** It got its ending. */
  void ends(@Nullable Object value, @Nullable Throwable error) {
    counts();
    answered(value, error);
  }

  /** It got an ending, the answer of which is found elsewhere. */
  void counts() {
    endings.incrementAndGet();
  }

  synchronized void answered(@Nullable Object value, @Nullable Throwable error) {
    if (!answered) {
      this.value = value;
      this.error = error;
      answered = true;
    }
  }

  void mayDispose(Disposable handle) {
    abandonment = InjectedDoor.disposing(handle, this);
  }

  void mayCancel(Runnable cancel) {
    abandonment = cancel;
  }

  /** What gives the call up: null while the caller's thread has not come back from the door. */
  @Nullable Runnable abandonment() {
    return abandonment;
  }

  boolean isAnswered() {
    return answered;
  }

  /** Whether its thread has nothing more to do with the call. */
  boolean hasLeft() {
    return left;
  }

  int endings() {
    return endings.get();
  }

  @Nullable Object value() {
    return value;
  }

  @Nullable Throwable error() {
    return error;
  }

  /** Whether the door threw. */
  boolean threw() {
    return threw;
  }

  boolean isFlagSet() {
    return interrupted;
  }

  boolean isTenantKept() {
    return tenantKept;
  }
}
