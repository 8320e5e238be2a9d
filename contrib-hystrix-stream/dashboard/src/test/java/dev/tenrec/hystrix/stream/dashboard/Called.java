// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.dashboard;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.hystrix.stream.HystrixStreamServer;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.Map;

/**
 * The program of an {@link Instance}: calls its commands, prints what was counted, and serves the
 * stream until its input ends.
 */
final class Called {

  static final String PORT = "port";
  static final String READY = "ready";

  private Called() {}

  /** Wants the number of calls. */
  public static void main(String[] arguments) throws Exception {
    int calls = Integer.parseInt(arguments[0]);
    try (Tenrec tenrec = Tenrec.create();
        HystrixStreamServer server = HystrixStreamServer.start(tenrec, 0)) {
      // what was called stays in the window however long a browser takes
      tenrec.set(
          Map.of(
              "tenrec.command.default.metrics.rollingStats.timeInMilliseconds", "600000",
              "tenrec.command.default.execution.isolation.thread.timeoutInMilliseconds", "60000",
              "tenrec.threadpool.default.metrics.rollingStats.timeInMilliseconds", "600000"));
      call(tenrec, calls);
      while (tenrec.pools().stream().anyMatch(pool -> pool.active() > 0)) {
        Thread.onSpinWait(); // an answer may be there before its thread has counted it
      }
      for (CommandDetails command : tenrec.commands()) {
        for (EventType event : EventType.values()) {
          print(command.key() + "." + event, command.rollingCount(event));
        }
      }
      print(PORT, server.address().getPort());
      System.out.println(READY);
      System.out.flush();
      while (System.in.read() >= 0) {
        // the test's process is there
      }
    }
  }

  private static void print(String name, long figure) {
    System.out.println(name + "=" + figure);
  }

  private static void call(Tenrec tenrec, int calls) {
    Command<Integer, Integer> quote =
        tenrec
            .command(
                "GetQuote",
                (Integer i) -> {
                  if (i % 3 == 0) {
                    throw new IllegalStateException("down");
                  }
                  return i;
                })
            .group("Pricing")
            .isolation(Isolation.threadPool().key("PricingThreads").coreSize(2))
            .withoutCircuitBreaker()
            .fallbackValue(0)
            .build();
    for (int i = 0; i < calls; i++) {
      quote.attempt(i);
    }
    Command<Integer, Integer> reviews =
        tenrec
            .command("GetReviews", (Integer i) -> Integer.parseInt("down"))
            .group("Reviews")
            .isolation(Isolation.semaphore(2))
            .errorThreshold(50, 4)
            .sleepWindow(Duration.ofHours(1))
            .fallbackValue(0)
            .build();
    while (!reviews.attempt(1).has(EventType.SHORT_CIRCUITED)) {
      // until the circuit opens
    }
    tenrec
        .command("Odd<b>key</b>\"&\\", (Integer i) -> i)
        .isolation(Isolation.semaphore(2))
        .build()
        .attempt(1);
  }
}
