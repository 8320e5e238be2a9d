// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.NoSettings;
import dev.tenrec.core.kit.SchedulingNoise;
import dev.tenrec.core.kit.Steps;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.metrics.view.CommandView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One Tenrec among hostile users, from its first call until it has been closed in the middle. */
final class ChaosWorld {

  /** What its callback executor is. */
  enum Callbacks {
    OWN,
    REFUSES_NOW_AND_THEN,
    DROPS_NOW_AND_THEN
  }

  /** How long to wait for what must come; shorter once something has not. */
  private long guardNanos = TimeUnit.SECONDS.toNanos(15);

  private final Callbacks callbacks;
  private final boolean listens;
  final Mischief mischief;
  final Tenrec tenrec;
  final List<ChaosSubject> subjects;

  /** Callers that are in it now; negative once it takes no more. */
  private final AtomicInteger callers = new AtomicInteger();

  ChaosWorld(long seed, boolean hostile, SchedulingNoise noise) {
    mischief = new Mischief(seed, hostile);
    callbacks = hostile ? Callbacks.values()[mischief.pick(3)] : Callbacks.OWN;
    listens = mischief.pick(2) == 0;
    TenrecBuilder builder =
        Tenrec.builder().source(new NoSettings()).propagate(this::captured).callbacks(8, 100);
    if (listens) {
      builder.listen(new Listener());
    }
    if (callbacks != Callbacks.OWN) {
      builder.callbackExecutor(this::conduct);
    }
    tenrec = builder.build();
    subjects = ChaosSubject.all(this, noise);
  }

  private final class Listener extends Steps {

    @Override
    public void step(String step, ListenedCall call, @Nullable Object what) {
      mischief.maybe(step);
    }

    @Override
    public void onTransition(String commandKey, Transition transition) {
      mischief.maybe("transition");
    }
  }

  private dev.tenrec.core.context.ContextPropagator.Captured captured() {
    mischief.maybeBriefly("capture");
    String callers = InjectedCaller.tenant().get();
    return () -> {
      mischief.maybeBriefly("install");
      String before = InjectedCaller.tenant().get();
      InjectedCaller.tenant().set(callers);
      return () -> {
        InjectedCaller.tenant().set(before);
        mischief.maybeBriefly("close");
      };
    };
  }

  private void conduct(Runnable task) {
    if (mischief.pick(10) == 0) {
      if (callbacks == Callbacks.REFUSES_NOW_AND_THEN) {
        throw new RejectedExecutionException("refused by a test");
      }
      return; // dropped
    }
    Thread unused = Elsewhere.start(task);
  }

  /** Whether a caller may come in; it has to leave. */
  boolean enters() {
    if (callers.incrementAndGet() > 0) {
      return true;
    }
    callers.decrementAndGet();
    return false;
  }

  void leaves() {
    callers.decrementAndGet();
  }

  /**
   * Closes it in the middle of everything, lets go of what is stuck, and waits for the callers that
   * are still inside.
   *
   * @return what did not hold
   */
  List<String> end() {
    List<String> missing = new ArrayList<>();
    List<StillRunning> unused = tenrec.close(Duration.ofMillis(mischief.pick(20)));
    int unusedCount = callers.addAndGet(Integer.MIN_VALUE / 2);
    mischief.release();
    if (!await(() -> callers.get() == Integer.MIN_VALUE / 2)) {
      missing.add(
          this
              + ": "
              + (callers.get() - Integer.MIN_VALUE / 2)
              + " callers do not come back after its close");
    }
    for (ChaosSubject subject : subjects) {
      if (!await(() -> quiet(subject) == null)) {
        missing.add(this + " " + subject + ": " + quiet(subject));
      }
      subject.addFaults(missing);
    }
    if (!await(() -> tenrec.liveThreads() == 0)) {
      missing.add(this + ": " + tenrec.liveThreads() + " threads left");
    }
    return missing;
  }

  private @Nullable String quiet(ChaosSubject subject) {
    CommandView view = subject.view();
    int fallbacks = Inside.fallbacksInUse(Inside.runtime(view));
    int busy = Inside.abandonedRunning(Inside.runtime(view));
    if (view.concurrency() != 0 || fallbacks != 0 || busy != 0) {
      return view.concurrency()
          + " permits and "
          + fallbacks
          + " fallback permits in use, busy after the answer "
          + busy;
    }
    return subject.miscounted();
  }

  private boolean await(BooleanSupplier done) {
    long end = System.nanoTime() + guardNanos;
    while (!done.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        guardNanos = TimeUnit.SECONDS.toNanos(1);
        return false;
      }
      LockSupport.parkNanos(1_000_000);
    }
    return true;
  }

  @Override
  public String toString() {
    return "callbacks " + callbacks + (listens ? ", listened to" : "");
  }
}
