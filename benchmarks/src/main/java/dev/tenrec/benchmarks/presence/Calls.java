// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.presence;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import java.util.function.LongUnaryOperator;

/**
 * So many calls of one command on their caller's thread. Each copy of Tenrec has its own copy of
 * this class, so that the JVM compiles each by itself; callers know it by a type of the JDK.
 */
public final class Calls implements LongUnaryOperator {

  private final Command<String, String> command =
      Tenrec.create()
          .command("Called", (String question) -> question)
          .isolation(Isolation.semaphore(32))
          .fallbackValue("")
          .build();

  /** Of a Tenrec of its own, which stays open as long as the JVM runs. */
  public Calls() {}

  @Override
  public long applyAsLong(long calls) {
    long answered = 0;
    for (long i = 0; i < calls; i++) {
      answered += command.execute("question").length();
    }
    return answered;
  }
}
