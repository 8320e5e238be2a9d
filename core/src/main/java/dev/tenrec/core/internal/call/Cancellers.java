// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.work.Canceller;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the work of one execution registered to be stopped by. A stack that is closed once, by the
 * thread that gives the work up or that ends it. Each canceller is taken exactly once, by the
 * closing or by a registration that came too late.
 */
final class Cancellers {

  private static final Logger LOG = LoggerFactory.getLogger(Cancellers.class);
  private static final Node GIVEN_UP = new Node(() -> {}, null);
  private static final Node OVER = new Node(() -> {}, null);

  record Node(Canceller canceller, @Nullable Node next) {}

  /** Cancels the stage that work has returned. */
  record OfStage(CompletionStage<?> stage) implements Canceller {

    @Override
    public void cancel() {
      boolean unused = stage.toCompletableFuture().cancel(true);
    }

    /** Whether cancelling runs nothing of the user's: ours is the only thing that hangs on it. */
    boolean isBare() {
      return stage.getClass() == CompletableFuture.class
          && ((CompletableFuture<?>) stage).getNumberOfDependents() <= 1;
    }
  }

  /**
   * Pushed to by the work's threads, swapped for a closed mark by the thread that closes it,
   * ordered by the CAS.
   */
  private final AtomicReference<@Nullable Node> top = new AtomicReference<>();

  void add(Canceller canceller) {
    while (true) {
      Node seen = top.get();
      if (seen == OVER) {
        return;
      }
      if (seen == GIVEN_UP) {
        run(canceller);
        return;
      }
      if (top.compareAndSet(seen, new Node(canceller, seen))) {
        return;
      }
    }
  }

  /** Whether all there is to cancel is a stage, and to cancel that runs no user code. */
  boolean isBareStage() {
    Node only = top.get();
    return only != null
        && only.next == null
        && only.canceller instanceof OfStage stage
        && stage.isBare();
  }

  /** The work is given up: runs all, now and here, and those that come later when they come. */
  void giveUp() {
    runAll(takeAll());
  }

  /**
   * The work is given up: takes all, for the thread that is to run them. Those that come later run
   * when they come. Null if there are none, or if the work was given up before, or has ended.
   */
  @Nullable Node takeAll() {
    Node seen;
    do {
      seen = top.get();
      if (seen == OVER || seen == GIVEN_UP) {
        return null;
      }
    } while (!top.compareAndSet(seen, GIVEN_UP));
    return seen;
  }

  /** Runs what was {@linkplain #takeAll taken}. Throws nothing. */
  static void runAll(@Nullable Node taken) {
    for (Node node = taken; node != null; node = node.next) {
      run(node.canceller);
    }
  }

  /** The work has ended: none is needed any more. */
  void forget() {
    Node seen = top.get();
    while (seen != GIVEN_UP && !top.compareAndSet(seen, OVER)) {
      seen = top.get();
    }
  }

  private static void run(Canceller canceller) {
    try {
      canceller.cancel();
    } catch (Throwable e) { // whatever user code throws must not keep the next one from running
      warn(e);
    }
  }

  private static void warn(Throwable thrown) {
    try {
      LOG.warn("a canceller failed", thrown);
    } catch (Throwable loggers) { // no memory, no stack: there is nothing left to do
      return;
    }
  }
}
