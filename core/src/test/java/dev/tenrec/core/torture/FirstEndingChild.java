// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.ChildJvm;
import dev.tenrec.core.kit.NoSettings;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.PatientWaits;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a JVM in which the first call of a kind ends while there is no memory at all. A
 * class whose initialization fails is lost for as long as the JVM runs: so no ending may be the
 * first to need one. Says what was not so, and exits with 1.
 */
final class FirstEndingChild {

  private static final long GUARD_SECONDS = PatientWaits.seconds();

  /** For how long it goes on without memory after the work has been let go. */
  private static final long WITHOUT_SECONDS = 2;

  private static final IOException FAILURE = new IOException("of the work");

  private final Tenrec tenrec = Tenrec.builder().source(new NoSettings()).build();
  private final CountDownLatch memoryIsOut = new CountDownLatch(1);
  private final List<Subject> subjects = new ArrayList<>();

  /** One command, and its call that ends without memory. */
  private final class Subject {

    private final Command<Integer, Integer> command;
    private final boolean fails;
    private final CountDownLatch begun = new CountDownLatch(1);

    /** Written by the main thread before its call begins, read by the work's. */
    private volatile boolean waits;

    private CompletableFuture<Integer> future = new CompletableFuture<>();

    Subject(String key, boolean fails, @Nullable Retry retry, @Nullable Hedge hedge) {
      this.fails = fails;
      CommandBuilder<Integer, Integer> builder =
          tenrec
              .command(key, this::work)
              .isolation(Isolation.threadPool().key(key).coreSize(2))
              .timeout(Duration.ofMinutes(10))
              .withoutCircuitBreaker();
      if (retry != null) {
        builder.retry(retry);
      }
      if (hedge != null) {
        builder.hedge(hedge);
      }
      command = builder.build();
    }

    private Integer work(Integer argument) throws InterruptedException, IOException {
      if (waits) {
        begun.countDown();
        memoryIsOut.await();
        if (fails) {
          throw FAILURE;
        }
      }
      return argument;
    }

    void begin() throws InterruptedException {
      waits = true;
      future = command.executeAsync(1);
      if (!begun.await(GUARD_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError(command.key() + " did not begin");
      }
    }
  }

  private FirstEndingChild() {
    Retry retry = Retry.attempts(2).backoff(Duration.ZERO, Duration.ZERO).budget(100, 100);
    Hedge hedge = Hedge.after(Duration.ofMinutes(5));
    add("Hedged", false, null, hedge);
    add("HedgedAndFailing", true, null, hedge);
    add("AttemptTimed", false, retry.attemptTimeout(Duration.ofMinutes(5)), null);
    add("Retried", true, retry, null);
    add("Rounds", false, retry, hedge);
    add("RoundsAndFailing", true, retry, hedge);
  }

  private void add(String key, boolean fails, @Nullable Retry retry, @Nullable Hedge hedge) {
    subjects.add(new Subject(key, fails, retry, hedge));
  }

  /** What any call needs is there: this is about what only the subjects need. */
  private void prime() throws Exception {
    Command<Integer, Integer> plain =
        tenrec
            .command("Plain", FirstEndingChild::oddOnly)
            .isolation(Isolation.threadPool().coreSize(2))
            .timeout(Duration.ofMillis(200))
            .build();
    for (int i = 0; i < 20; i++) {
      CompletableFuture<Integer> unused =
          plain
              .executeAsync(i)
              .exceptionally(error -> -1)
              .orTimeout(GUARD_SECONDS, TimeUnit.SECONDS);
      Integer answer = unused.get();
      if (answer == null) {
        throw new AssertionError("no answer");
      }
    }
  }

  private static Integer oddOnly(Integer i) throws IOException, InterruptedException {
    if (i == 2) {
      Thread.sleep(1_000); // work that takes too long; nothing waits by it
    }
    if (i % 2 == 0) {
      throw FAILURE;
    }
    return i;
  }

  private void play() throws Exception {
    prime();
    for (Subject subject : subjects) {
      subject.begin();
    }
    Ballast.take();
    memoryIsOut.countDown();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WITHOUT_SECONDS);
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(1_000_000);
    }
    Ballast.drop();
    for (Subject subject : subjects) {
      awaitEnding(subject);
      subject.waits = false;
      Integer next = subject.command.executeAsync(2).get(GUARD_SECONDS, TimeUnit.SECONDS);
      if (next != 2) {
        throw new AssertionError(subject.command.key() + " answers " + next);
      }
    }
    var unused = tenrec.close(Duration.ofSeconds(5));
  }

  private static void awaitEnding(Subject subject) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(GUARD_SECONDS);
    while (!subject.future.isDone()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("no ending for a call of " + subject.command.key());
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Plays. */
  public static void main(String[] arguments) {
    try {
      new FirstEndingChild().play();
      System.out.println(ChildJvm.WELL);
      System.exit(0);
    } catch (Throwable thrown) {
      Ballast.drop();
      thrown.printStackTrace(System.out);
      System.exit(1);
    }
  }
}
