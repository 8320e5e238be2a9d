// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One Tenrec among hostile users, from its first call until it has been closed in the middle. */
final class ChaosWorld {

  /** What its callback executor is. */
  enum Callbacks {
    OWN,
    REFUSES_NOW_AND_THEN,
    DROPS_NOW_AND_THEN
  }

  /**
   * Of the user's executor. The timer's thread hands over to that, and starting a thread is not
   * quick where hundreds of others want the processor; so these are there already.
   */
  private static final ThreadPoolExecutor USERS_THREADS = usersThreads(32);

  /** What may keep a caller waiting for as long as user code is stuck. */
  enum Hold {
    /** Nothing but user code on its own thread. */
    NOTHING,
    /** A fallback that no thread waits for has no deadline; closing ends it. */
    FALLBACK,
    /** Its answer is a call of user code, for which the share of its command may have no thread. */
    SHARE
  }

  /** What a caller waits for. */
  private record Wait(String what, Hold hold) {}

  private final Callbacks callbacks;
  private final boolean listens;
  final Mischief mischief;
  final Tenrec tenrec;
  final List<ChaosSubject> subjects;
  final Lateness lateness;
  private final SchedulingNoise noise;

  /** Callers that are in it now; negative once it takes no more. */
  private final AtomicInteger callers = new AtomicInteger();

  /** What each caller that is in it waits for. Written by the caller, read by the test. */
  private final Map<Thread, Wait> waits = new ConcurrentHashMap<>();

  /** Written by the test, read by callers: they wait no longer for what does not come. */
  private volatile boolean lost;

  /** Whether something has not come. */
  private boolean failed;

  ChaosWorld(long seed, boolean hostile, SchedulingNoise noise, Lateness lateness) {
    this.noise = noise;
    this.lateness = lateness;
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
    subjects = ChaosSubject.all(this);
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

  private static ThreadPoolExecutor usersThreads(int count) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            count,
            count,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(null, task, "users-callback", 0, false);
              thread.setDaemon(true);
              return thread;
            });
    int unused = threads.prestartAllCoreThreads();
    return threads;
  }

  private void conduct(Runnable task) {
    if (mischief.pick(10) == 0) {
      if (callbacks == Callbacks.REFUSES_NOW_AND_THEN) {
        throw new RejectedExecutionException("refused by a test");
      }
      return; // dropped
    }
    USERS_THREADS.execute(task);
  }

  /** Whether a caller may come in; it has to leave. */
  boolean enters() {
    if (callers.incrementAndGet() > 0) {
      waits("the door", Hold.NOTHING);
      return true;
    }
    callers.decrementAndGet();
    return false;
  }

  /** This caller is about to wait. */
  void waits(String what, Hold hold) {
    waits.put(Thread.currentThread(), new Wait(what, hold));
  }

  /** Whether no caller should wait any longer. */
  boolean isLost() {
    return lost;
  }

  void leaves() {
    waits.remove(Thread.currentThread());
    callers.decrementAndGet();
  }

  /**
   * Closes it: in the middle of everything, or when its callers have come back. While user code is
   * stuck all the time, every call has to end for which that is not its own affair, close too. Then
   * lets go of what is stuck, and waits for the callers that are still inside.
   *
   * @return what did not hold
   */
  List<String> end() {
    List<String> missing = new ArrayList<>();
    boolean callersFirst = mischief.pick(2) == 0;
    if (callersFirst) {
      takeNoMore();
      lookAtCallers(false, missing);
    }
    int patience = mischief.pick(20);
    Thread closer = Elsewhere.start(() -> tenrec.close(Duration.ofMillis(patience)));
    if (!await(() -> !closer.isAlive())) {
      missing.add(this + ": close does not come back: " + stack(closer) + stuck());
    }
    if (!callersFirst) {
      takeNoMore();
    }
    lookAtCallers(true, missing);
    mischief.release();
    if (!await(() -> waits.isEmpty() && callers.get() == Integer.MIN_VALUE / 2)) {
      missing.add(this + ": callers do not come back after its close" + waiting(true, true));
    }
    lost = true;
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

  private void takeNoMore() {
    int unused = callers.addAndGet(Integer.MIN_VALUE / 2);
  }

  private void lookAtCallers(boolean closed, List<String> missing) {
    if (!await(() -> waiting(closed, false).isEmpty())) {
      String when = closed ? " closed, and" : "";
      missing.add(this + when + " stuck user code holds up" + waiting(closed, false) + stuck());
    }
  }

  /** The callers that wait, and should not; or all. In words. */
  private String waiting(boolean closed, boolean all) {
    StringBuilder words = new StringBuilder();
    waits.forEach(
        (thread, wait) -> {
          boolean mayWait =
              wait.hold == Hold.SHARE
                  || wait.hold == Hold.FALLBACK && !closed
                  || mischief.holds(thread);
          if (all || !mayWait) {
            words.append("\n  ").append(wait.what).append(": ").append(stack(thread));
          }
        });
    return words.toString();
  }

  private String stuck() {
    StringBuilder words = new StringBuilder("\n  stuck are");
    mischief
        .held()
        .forEach(
            (thread, where) ->
                words.append("\n  at ").append(where).append(": ").append(stack(thread)));
    words.append("\n  threads of any Tenrec");
    Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("tenrec"))
        .forEach(thread -> words.append("\n  ").append(stack(thread)));
    return words.toString();
  }

  private static String stack(Thread thread) {
    return Stream.of(thread.getStackTrace())
        .filter(frame -> frame.getClassName().startsWith("dev.tenrec."))
        .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
        .collect(Collectors.joining(" ", thread.getName() + " " + thread.getState() + " ", ""));
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
    Patience patience = new Patience(noise, failed);
    while (!done.getAsBoolean()) {
      if (patience.isOver()) {
        failed = true;
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
