// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.SchedulingNoise;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.metrics.OwnThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The torture of commands by hostile users: loggers, listeners, propagators, cancellers, {@code
 * toString}s, dependents and publishers throw and block, callback executors refuse and drop, and
 * Tenrecs are closed in the middle. Every call ends once, in time, and is counted once; nothing is
 * left but what is stuck on purpose, until it is let go.
 */
@OwnThread
class ChaosTest {

  private static final int WORLDS = 3;
  private static final int MOST_LISTED = 20;

  private final long seed = Long.getLong("tenrec.seed", System.nanoTime());
  private final Queue<String> missing = new ConcurrentLinkedQueue<>();
  private final AtomicReferenceArray<ChaosWorld> worlds = new AtomicReferenceArray<>(WORLDS);
  private final AtomicBoolean over = new AtomicBoolean();

  @Test
  @Tag("race")
  void everyCall_amongHostileUsers_endsOnceAndInTime() throws Exception {
    chaos(true, 40, Integer.getInteger("tenrec.chaos.calls", 100), 0);
  }

  /**
   * That the play itself is right: nobody does harm, but work that fails, is late and is closed.
   */
  @Test
  @Tag("race")
  void everyCall_amongHarmlessUsers_endsOnceAndInTime() throws Exception {
    chaos(false, 40, Integer.getInteger("tenrec.chaos.calls", 100), 0);
  }

  @Test
  @Tag("long")
  void everyCall_amongManyHostileUsersForLong_endsOnceAndInTime() throws Exception {
    chaos(true, 500, Integer.MAX_VALUE, Long.getLong("tenrec.chaos.seconds", 60));
  }

  /** Until each caller has made so many calls, or the time is over. */
  private void chaos(boolean hostile, int count, int calls, long seconds) throws Exception {
    SwitchedLogging.requireInstalled();
    System.out.println("chaos: -Dtenrec.seed=" + seed);
    Mischief loggers = new Mischief(seed, hostile);
    Lateness lateness;
    try (SchedulingNoise noise = new SchedulingNoise(ChaosSubject.TIMEOUT_NANOS);
        AutoCloseable lines = SwitchedLogging.on(logger -> line(loggers))) {
      lateness = new Lateness(noise);
      for (int i = 0; i < WORLDS; i++) {
        worlds.set(i, new ChaosWorld(seed + i, hostile, noise, lateness));
      }
      List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int number = i;
        callers.add(Elsewhere.start(() -> calls(number, calls)));
      }
      disturb(callers, hostile, noise, lateness, seconds);
      over.set(true);
      for (int i = 0; i < WORLDS; i++) {
        missing.addAll(worlds.get(i).end());
      }
      awaitEnd(callers, noise);
    }
    System.out.println("chaos: " + lateness);
    if (seconds == 0) { // hundreds of callers are more than the timer's thread gets to wake in time
      missing.addAll(lateness.missing());
    }
    List<String> listed = missing.stream().limit(MOST_LISTED).toList();
    assertThat(missing.size())
        .as("did not hold, with -Dtenrec.seed=%d:%n%s%n", seed, String.join("\n", listed))
        .isZero();
  }

  private void awaitEnd(List<Thread> callers, SchedulingNoise noise) throws InterruptedException {
    Patience patience = new Patience(noise, false);
    for (Thread caller : callers) {
      while (caller.isAlive() && !patience.isOver()) {
        caller.join(100);
      }
      if (caller.isAlive()) {
        missing.add("a caller hangs: " + List.of(caller.getStackTrace()));
        return;
      }
    }
  }

  private static boolean line(Mischief loggers) {
    loggers.maybeBriefly("logger");
    return false;
  }

  private void calls(int number, int calls) {
    Random random = new Random(seed + number);
    InjectedCaller.tenant().set("caller's");
    for (int i = 0; i < calls && !over.get(); i++) {
      ChaosWorld world = worlds.get(random.nextInt(WORLDS));
      if (!world.enters()) {
        LockSupport.parkNanos(1_000_000);
        continue;
      }
      try {
        ChaosSubject subject = world.subjects.get(random.nextInt(world.subjects.size()));
        try {
          subject.call();
        } catch (Throwable thrown) {
          subject.fault("a door threw " + thrown);
        }
        if (Thread.interrupted() && !isDisturbed(number)) {
          subject.fault("its caller's interrupt flag is set, and nobody has interrupted it");
        }
        if (!"caller's".equals(InjectedCaller.tenant().get())) {
          subject.fault("its caller's thread-local is lost");
          InjectedCaller.tenant().set("caller's");
        }
      } finally {
        world.leaves();
      }
      LockSupport.parkNanos(random.nextInt(10_000_000));
    }
  }

  private static boolean isDisturbed(int number) {
    return number % 2 == 0;
  }

  /** Interrupts callers and closes worlds, until the time is over or all callers have ended. */
  private void disturb(
      List<Thread> callers,
      boolean hostile,
      SchedulingNoise noise,
      Lateness lateness,
      long seconds) {
    Random random = new Random(~seed);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    long guard = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds + 40);
    for (int round = 1; System.nanoTime() - guard < 0; round++) {
      boolean done = callers.stream().noneMatch(Thread::isAlive);
      if (done || seconds > 0 && System.nanoTime() - end > 0) {
        return;
      }
      int number = random.nextInt(callers.size());
      if (isDisturbed(number)) {
        callers.get(number).interrupt();
      }
      if (random.nextInt(200) == 0) {
        worlds.get(random.nextInt(WORLDS)).mischief.letGo();
      }
      if (random.nextInt(150) == 0 && missing.isEmpty()) {
        int slot = random.nextInt(WORLDS);
        ChaosWorld ended = worlds.get(slot);
        worlds.set(slot, new ChaosWorld(seed + WORLDS * round, hostile, noise, lateness));
        missing.addAll(ended.end());
      }
      LockSupport.parkNanos(2_000_000);
    }
  }
}
