// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.stream;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.internal.call.StackReserve;
import dev.tenrec.core.internal.gate.StackRoom;
import dev.tenrec.core.kit.ChildJvm;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.NoSettings;
import dev.tenrec.metrics.PatientWaits;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Publisher;

/**
 * Streams that are subscribed to where there is room for the way of a call, and in some steps none
 * for the end of a stream. Their publisher throws.
 */
final class NearlyFullStackChild {

  private static final int STEPS_BETWEEN = 25;

  private final AtomicInteger subscribed = new AtomicInteger();

  /** Of those whose publisher was subscribed to. */
  private final Queue<TestSubscriber<String>> begun = new ConcurrentLinkedQueue<>();

  /** Of these, where there was no room for the end of a stream. */
  private final AtomicInteger withoutReserve = new AtomicInteger();

  private final Publisher<String> broken =
      subscriber -> {
        subscribed.incrementAndGet();
        if (!hasRoom(StackReserve::check)) {
          withoutReserve.incrementAndGet();
        }
        throw new IllegalStateException("of the test");
      };

  private NearlyFullStackChild() {}

  public static void main(String[] arguments) throws Exception {
    new NearlyFullStackChild().run();
    System.out.println(ChildJvm.WELL);
  }

  private void run() throws Exception {
    try (Tenrec tenrec = Tenrec.builder().source(new NoSettings()).build()) {
      StreamCommand<String, String> command =
          tenrec
              .streamCommand("Ticks", (String symbol) -> broken)
              .isolation(Isolation.semaphore(1))
              .withoutCircuitBreaker()
              .withoutTimeout()
              .build();
      Runnable call = () -> call(command);
      call.run(); // loads what it takes
      Thread deep =
          Elsewhere.start(
              () -> {
                int unused = callOnTheWayUp(call);
              });
      deep.join(PatientWaits.patience().toMillis());

      check(!deep.isAlive(), "it hangs");
      check(withoutReserve.get() > 0, "always room, of " + subscribed);
      for (TestSubscriber<String> subscriber : begun) {
        check(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS), "a stream has no end");
      }
      check(command.view().concurrency() == 0, "a permit is out");
      int stages = Inside.stages(command.view());
      check(stages == 0, stages + " of " + subscribed + " are kept");
    }
  }

  private void call(StreamCommand<String, String> command) {
    int before = subscribed.get();
    TestSubscriber<String> subscriber = new TestSubscriber<>();
    command.toFlowable("x").subscribe(subscriber);
    if (subscribed.get() > before) {
      begun.add(subscriber);
    }
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  /**
   * Calls on the way back from where there is no room for a call, as long as there is none for the
   * end of a stream.
   *
   * @return how many steps this is above that
   */
  private static int callOnTheWayUp(Runnable call) {
    int steps = hasRoom(StackRoom::require) ? callOnTheWayUp(call) + 1 : 0;
    if (steps % STEPS_BETWEEN == STEPS_BETWEEN - 1 && !hasRoom(StackReserve::check)) {
      try {
        call.run();
      } catch (StackOverflowError deep) { // further up there is more room
        return steps;
      }
    }
    return steps;
  }

  private static boolean hasRoom(Runnable check) {
    try {
      check.run();
      return true;
    } catch (StackOverflowError deep) {
      return false;
    }
  }
}
