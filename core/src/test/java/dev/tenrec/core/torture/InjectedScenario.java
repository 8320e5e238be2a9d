// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.Command;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Account;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.torture.InjectedSeam.Conduct;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CommandView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A fresh Tenrec in manual time, one call of it, and one step on that call's way that goes wrong;
 * then a look at all that has to hold all the same. What does not is collected, in words.
 */
final class InjectedScenario {

  /** Once so many have hung the test has failed anyway, and does not wait for as long. */
  private static final int PATIENT_HANGS = 2;

  /** How long what an executor keeps back is waited for; half of that while time stands still. */
  private static final long KEPT_BACK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** By then every deadline there is in a scenario has come. */
  private static final int FAST_PUMPS = 10;

  /** After so many it is no use to look further. */
  private static final int MOST_HANGS = Integer.getInteger("tenrec.injection.mostHangs", 10);

  /** Those of one test. */
  private static final AtomicInteger HANGS = new AtomicInteger();

  /** Those of all tests. */
  private static final AtomicInteger ALL_HANGS = new AtomicInteger();

  private final InjectedMeans means;
  private final Way way;
  private final InjectedDoor door;
  private final InjectedEnding ending;
  private final InjectedSeam seam;
  private final Trap trap;
  private final @Nullable Conduct conduct;
  private final ManualTime time = new ManualTime();
  private final InjectedSubject subject;
  private final Tenrec tenrec;
  private final CommandView view;
  private final List<String> missing = new ArrayList<>();
  private int issued;

  private InjectedScenario(
      InjectedMeans means,
      Way way,
      InjectedDoor door,
      InjectedEnding ending,
      InjectedSeam seam,
      Trap trap,
      @Nullable Conduct conduct) {
    this.means = means;
    this.way = way;
    this.door = door;
    this.ending = ending;
    this.seam = seam;
    this.trap = trap;
    this.conduct = conduct;
    this.subject = new InjectedSubject(means, way, door, ending, seam, trap, conduct, time);
    this.tenrec = subject.tenrec;
    this.view = subject.view;
  }

  /** Whether a door has such a way. */
  static boolean exists(Way way, InjectedDoor door) {
    return door != InjectedDoor.STREAM && !door.isGuard() || way != Way.STAGE;
  }

  /** A test begins. What its traps throw on threads that die of it is not worth a line each. */
  static void begins() {
    HANGS.set(0);
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) -> {
          if (!Trap.isSprung(thrown)) {
            thrown.printStackTrace();
          }
        });
  }

  /** A test has ended. */
  static void ended() {
    Thread.setDefaultUncaughtExceptionHandler(null);
  }

  /** Whether so many calls have hung that a test should stop. */
  static boolean hangsTooOften() {
    return HANGS.get() >= MOST_HANGS;
  }

  /**
   * Plays one.
   *
   * @return what did not hold, each beginning with which play it was; empty if all did
   */
  static List<String> play(
      InjectedMeans means,
      Way way,
      InjectedDoor door,
      InjectedEnding ending,
      InjectedSeam seam,
      Trap trap,
      @Nullable Conduct conduct) {
    InjectedScenario scenario = new InjectedScenario(means, way, door, ending, seam, trap, conduct);
    try (AutoCloseable lines = SwitchedLogging.on(scenario::line)) {
      scenario.play();
    } catch (Exception | AssertionError e) {
      scenario.missing.add("the play itself failed: " + e);
    } finally {
      trap.putAway();
      trap.release();
      scenario.subject.letGo();
    }
    String name =
        seam
            + " "
            + (conduct != null ? conduct : trap)
            + " | "
            + (means == InjectedMeans.ONE_ATTEMPT ? "" : means + " ")
            + way
            + " "
            + door
            + " "
            + ending
            + ": ";
    return scenario.missing.stream().map(what -> name + what).toList();
  }

  private boolean line(String logger) {
    if (seam.logs()) {
      trap.pass("a line of " + logger.substring(logger.lastIndexOf('.') + 1));
    }
    return false;
  }

  private void play() {
    prime();
    time.advanceMillis(600); // the next error is due for a look at the health
    trap.set();
    issued++;
    InjectedCaller caller = new InjectedCaller(subject, door);
    Thread closer = end(caller);
    awaitEnding(caller, closer);
    boolean answeredBlocked = trap.blocks() && caller.isAnswered();
    trap.release();
    subject.letGo();
    if (!answeredBlocked && !await(() -> caller.isAnswered(), true)) {
      miss("no ending, also when nothing blocked any more; the caller: " + stackOf(caller.thread));
      return;
    }
    if (!await(caller::hasLeft, true)) {
      miss("the caller's thread has not come back: " + stackOf(caller.thread));
      return;
    }
    if (closer != null && !await(() -> !closer.isAlive(), true)) {
      miss("close has not returned: " + stackOf(closer));
      return;
    }
    if (!seam.isPassedApart()) { // else it may be passed until the threads are gone
      trap.putAway();
    }
    lookAtTheCaller(caller);
    lookAtTheBooks(caller);
    if (ending != InjectedEnding.CLOSE) {
      probe();
      close();
    }
    boolean closeFailed = seam == InjectedSeam.TICKER && closer != null && trap.caught() == closer;
    if (!closeFailed && !await(() -> tenrec.liveThreads() == 0, true)) {
      miss(tenrec.liveThreads() + " threads left after close");
    }
  }

  // What happens to the call.

  /** Has the circuit open, and its next call a trial, where that is what trips it. */
  private void prime() {
    if (seam != InjectedSeam.LOGGER_AT_TRANSITION || ending != InjectedEnding.SUCCESS) {
      return;
    }
    subject.primes(true);
    time.advanceMillis(600);
    issued++;
    InjectedCaller first = new InjectedCaller(subject, door);
    if (!awaitInStillTime(first::hasLeft)) {
      throw new AssertionError("the call that opens the circuit does not end");
    }
    if (!awaitInStillTime(() -> view.circuitState() == CircuitState.OPEN)) {
      throw new AssertionError("the circuit does not open: " + Account.of(view));
    }
    subject.primes(false);
    time.advance(InjectedSubject.SLEEP_WINDOW.plusMillis(1));
  }

  /** What ends it from outside: time, its caller, or close, by the thread that is returned. */
  private @Nullable Thread end(InjectedCaller caller) {
    if (!ending.holdsWork()) {
      return null;
    }
    awaitWork(caller);
    if (ending == InjectedEnding.CANCELLATION) {
      giveUp(caller);
    } else if (ending == InjectedEnding.CLOSE) {
      Thread closer = Elsewhere.start(() -> tenrec.close(Duration.ZERO));
      boolean clockBlocks = seam == InjectedSeam.TICKER && trap.blocks(); // for close as well
      BooleanSupplier heldUp = () -> trap.caught() == closer || clockBlocks && trap.hasSprung();
      if (!await(() -> !closer.isAlive() || heldUp.getAsBoolean(), true)) {
        miss("close does not come back: " + stackOf(closer));
      }
      subject.releaseThreads(); // work on its caller's thread ends by itself only
      return closer;
    }
    return null;
  }

  /** Time stands still until its work has begun, so that no deadline ends it before. */
  private void awaitWork(InjectedCaller caller) {
    BooleanSupplier begun = () -> subject.hasBegun() || caller.isAnswered() || trap.hasSprung();
    if (!await(() -> begun.getAsBoolean() || subject.isKeptBack(), false)) {
      miss("its work does not begin; the caller: " + stackOf(caller.thread));
    }
    if (subject.isKeptBack()) { // it may never begin, and if it does, then because time goes on
      boolean unused = await(begun, () -> false, KEPT_BACK_NANOS / 2, KEPT_BACK_NANOS);
    }
  }

  private void giveUp(InjectedCaller caller) {
    boolean staysInside = !door.isMember() && door != InjectedDoor.STREAM; // until it has ended
    boolean inside = door.callerWaits() || way == Way.SEMAPHORE && staysInside;
    Runnable byHandle = caller.abandonment();
    if (byHandle == null && !inside) {
      BooleanSupplier left =
          () ->
              caller.abandonment() != null
                  || caller.hasLeft()
                  || trap.blocks() && trap.caught() == caller.thread;
      if (!await(left, false)) {
        miss("the caller does not get its handle: " + stackOf(caller.thread));
      }
      byHandle = caller.abandonment();
    }
    if (byHandle != null) {
      Thread unused = Elsewhere.start(byHandle);
    } else if (inside) {
      caller.thread.interrupt();
    } // else it blocks on its way to the handle, and ends by itself when it is let go
  }

  private void awaitEnding(InjectedCaller caller, @Nullable Thread closer) {
    if (trap.blocks()) {
      boolean unused = await(() -> caller.isAnswered() || trap.hasSprung(), ending.timesOut());
      boolean heldUp =
          seam.mayHoldUp(door, ending, trap, trap.caught() == caller.thread)
              || trap.caught() == closer
              || caller.isAnswered();
      if (!heldUp && !await(caller::isAnswered, true)) {
        miss("held up past its deadline by what blocks; the caller: " + stackOf(caller.thread));
      }
      if (caller.isAnswered() && trap.hasSprung() && seam.isAfterTheEnding(trap)) {
        lookAtTheCounts();
      }
    } else if (!await(caller::isAnswered, this::mayTimeGoOn)) {
      miss("no ending; the caller: " + stackOf(caller.thread));
    }
  }

  /**
   * Whether an ending may need time to come: it is a time-out, or a step on the way to it has
   * failed, so that a deadline ends the call, or a thread that takes another one for lost. Not
   * where a limit that comes before it would be another ending than the one that is looked for.
   */
  private boolean mayTimeGoOn() {
    return ending.timesOut()
        || seam == InjectedSeam.EXECUTOR && door.isMember()
        || trap.hasSprung() && !(seam.keepsTheEnding() && means.limitsAttempts());
  }

  // What has to hold.

  private void lookAtTheCaller(InjectedCaller caller) {
    boolean mayBeSilent = ending == InjectedEnding.CANCELLATION;
    if (caller.endings() > 1 || caller.endings() == 0 && !mayBeSilent) {
      boolean unused = await(() -> caller.endings() == 1, true);
    }
    if (caller.endings() > 1 || caller.endings() == 0 && !mayBeSilent) {
      miss("received " + caller.endings() + " endings");
    }
    boolean right = seam.keepsTheEnding() && !trap.blocks();
    String instead = right ? ending.misses(caller.value(), caller.error()) : null;
    if (instead != null) {
      miss("ended with " + caller.value() + "/" + caller.error() + ", expected " + instead);
    }
    if (seam != InjectedSeam.TICKER && caller.threw() && !door.callerWaits()) {
      miss("a door that never throws threw " + caller.error());
    }
    if (caller.isFlagSet() && ending != InjectedEnding.CANCELLATION) {
      miss("the caller's interrupt flag is set");
    }
    if (!caller.isTenantKept()) {
      miss("the caller's thread-local is lost");
    }
  }

  /** While what comes after the ending blocks. */
  private void lookAtTheCounts() {
    if (!await(() -> Account.of(view).answers() == issued, true)) {
      miss("not counted while that blocks: " + Account.of(view));
    }
    boolean mayBeBusy = ending.holdsWork() || way == Way.POOL; // its thread may report the ending
    if (!mayBeBusy && !await(() -> view.concurrency() == 0, true)) {
      miss("its permit is not back while that blocks");
    }
  }

  private void lookAtTheBooks(InjectedCaller caller) {
    if (!await(() -> quiet(caller) == null, true)) {
      miss(quiet(caller));
    }
  }

  /** What is not quiet yet; null if all is. */
  private @Nullable String quiet(InjectedCaller caller) {
    if (view.concurrency() != 0) {
      return view.concurrency() + " permits in use";
    }
    if (Inside.fallbacksInUse(Inside.runtime(view)) != 0) {
      return Inside.fallbacksInUse(Inside.runtime(view)) + " fallback permits in use";
    }
    if (Inside.abandonedRunning(Inside.runtime(view)) != 0) {
      return Inside.abandonedRunning(Inside.runtime(view)) + " works still busy";
    }
    Account account = Account.of(view);
    long least = mayNotCount(caller) ? issued - 1 : issued;
    if (account.answers() < least || account.answers() > issued) {
      return "of " + issued + " executions " + account.answers() + " counted: " + account;
    }
    return null;
  }

  /** A batch that was never started; a call that the clock kept from beginning. */
  private boolean mayNotCount(InjectedCaller caller) {
    return door.isMember()
            && (ending.holdsWork()
                || seam == InjectedSeam.EXECUTOR
                || Trap.isSprung(caller.error())
                || trap.blocks())
        || door == InjectedDoor.STREAM && Trap.isSprung(caller.error())
        || seam == InjectedSeam.TICKER && Trap.isSprung(caller.error());
  }

  /** The threads that were at it do other work as if nothing had been. */
  private void probe() {
    if (seam == InjectedSeam.EXECUTOR) {
      return; // which is as it was
    }
    if (!await(this::isQuietElsewhere, true)) {
      miss("the pool's other call is still in flight");
    }
    List<String> dirt = new ArrayList<>();
    Command<String, String> probe =
        (way == Way.STAGE
                ? tenrec.asyncCommand(
                    "Probe", (String s) -> CompletableFuture.completedFuture(probed(s, dirt)))
                : tenrec.command("Probe", (String s) -> probed(s, dirt)))
            .isolation(
                way.isolation(way == Way.POOL && ending == InjectedEnding.REJECTION ? 1 : 10))
            .timeout(Duration.ofHours(1))
            .build();
    CompletableFuture<String> probed = Elsewhere.call(() -> probe.execute("p"));
    if (!await(probed::isDone, false)) {
      miss("a call that came afterwards has no ending");
      return;
    }
    if (probed.isCompletedExceptionally()) {
      miss("a call that came afterwards failed: " + probed.handle((v, e) -> e).join());
    }
    missing.addAll(dirt);
  }

  private boolean isQuietElsewhere() {
    return tenrec.commands().stream().allMatch(one -> one.concurrency() == 0)
        && tenrec.pools().stream().allMatch(pool -> pool.active() == 0);
  }

  private static String probed(String value, List<String> dirt) {
    if (Thread.currentThread().isInterrupted()) {
      dirt.add("the interrupt flag of " + Thread.currentThread().getName() + " is set");
    }
    if (InjectedCaller.tenant().get() != null) {
      dirt.add("the thread-local of " + Thread.currentThread().getName() + " is left");
    }
    return value;
  }

  private void close() {
    List<StillRunning> left = new ArrayList<>();
    Thread closer = Elsewhere.start(() -> left.addAll(tenrec.close(Duration.ofMinutes(5))));
    if (!await(() -> !closer.isAlive(), true)) {
      miss("close does not come back: " + stackOf(closer));
    } else if (!left.isEmpty()) {
      miss("still running after close: " + left);
    }
  }

  // Waiting.

  /** How long to wait for what must come; only the first that do not come use it up. */
  private static long guardNanos() {
    Long set = Long.getLong("tenrec.injection.guardMillis");
    Duration guard = set == null ? PatientWaits.patience() : Duration.ofMillis(set);
    return guard.toNanos();
  }

  /**
   * Waits for what must come. Time goes on meanwhile if that may need it; else only when most of
   * the wait was in vain, for what only a deadline can end.
   */
  private boolean await(BooleanSupplier done, boolean pumps) {
    return await(done, () -> pumps);
  }

  private boolean await(BooleanSupplier done, BooleanSupplier pumps) {
    boolean patient = ALL_HANGS.get() < PATIENT_HANGS;
    long guard = patient ? guardNanos() : guardNanos() / 10;
    boolean came = await(done, pumps, guard / 6 * 5, guard);
    if (!came) {
      HANGS.incrementAndGet();
      ALL_HANGS.incrementAndGet();
    }
    return came;
  }

  /**
   * Waits for what needs no time to pass. A deadline would end a call that the machine is slow to
   * start, and that would be right.
   */
  private static boolean awaitInStillTime(BooleanSupplier done) {
    long end = System.nanoTime() + guardNanos();
    while (!done.getAsBoolean()) {
      if (System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(100_000);
    }
    return true;
  }

  /**
   * Waits until something is done. After a while time goes on: fast until deadlines have come, then
   * slowly, so that what the engine has other threads do gets time to be done in.
   *
   * @param pumps whether it goes on, asked again and again
   * @param stillNanos after how long it goes on in any case
   * @param mostNanos how long to wait in all
   */
  private boolean await(
      BooleanSupplier done, BooleanSupplier pumps, long stillNanos, long mostNanos) {
    long start = System.nanoTime();
    int pumped = 0;
    for (int i = 0; !done.getAsBoolean(); i++) {
      long waited = System.nanoTime() - start;
      if (waited > mostNanos || Thread.currentThread().isInterrupted()) { // by the test's limit
        return false;
      }
      if (i < 20) {
        Thread.yield();
        continue;
      }
      LockSupport.parkNanos(100_000);
      boolean slowly = pumped >= FAST_PUMPS && i % 50 != 0;
      if (!slowly && (waited >= stillNanos || pumps.getAsBoolean())) {
        time.advanceMillis(20);
        pumped++;
      }
    }
    return true;
  }

  private void miss(String what) {
    missing.add(what);
  }

  private static String stackOf(Thread thread) {
    StringBuilder stack = new StringBuilder(thread.getState().toString());
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getClassName().startsWith("dev.tenrec")) {
        String name = frame.getClassName();
        stack.append(' ').append(name.substring(name.lastIndexOf('.') + 1));
        stack.append('.').append(frame.getMethodName());
      }
    }
    return stack.toString();
  }
}
