// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.quickstart;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.outcome.Outcome;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/** One command: a pool, a time-out, a fallback, and what became of each call. */
public final class QuickStart {

  private QuickStart() {}

  /** Runs it. */
  public static void main(String[] arguments) {
    try (Tenrec tenrec = Tenrec.create()) { // owns pools and timer; close() ends them
      run(tenrec, System.out);
    }
  }

  static void run(Tenrec tenrec, PrintStream out) {
    Command<String, String> getPrice =
        tenrec
            .command("GetPrice", (String article) -> askShop(article)) // may block, may throw
            .isolation(Isolation.threadPool().coreSize(4)) // at most 4 calls at once
            .timeout(Duration.ofSeconds(1)) // then the worker is interrupted
            .fallback((article, cause) -> "price on request") // if it fails, for any reason
            .build(); // once; then call it from any thread, as often as you like

    for (String article : List.of("tea", "a broken cup", "a lost spoon")) {
      out.println(article + ": " + getPrice.execute(article));
    }

    // attempt() never throws, and reports what happened as well
    Outcome<String> outcome = getPrice.attempt("a lost spoon");
    out.println("events of the last call: " + outcome.events());
    out.println("in words: " + outcome.explain());
  }

  /** Stands for a remote service that answers, fails or hangs. */
  private static String askShop(String article) throws IOException, InterruptedException {
    switch (article) {
      case "a broken cup" -> throw new IOException("the shop answered with status 500");
      case "a lost spoon" -> Thread.sleep(60_000);
      default -> {}
    }
    return "5.00";
  }
}
