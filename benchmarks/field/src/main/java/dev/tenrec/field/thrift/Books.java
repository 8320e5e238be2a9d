// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import java.util.ArrayList;
import java.util.List;

/** Whether driver, consumers with their commands, and provider tell the same of one run. */
final class Books {

  private final List<String> differences = new ArrayList<>();

  private Books() {}

  static List<String> differences(SteadyRun run) {
    Books books = new Books();
    if (!run.result().counts().balance()) {
      books.differences.add("the driver's counts do not balance: " + run.result().counts());
    }
    return books.differences;
  }

  /** What does not agree; nothing, if all does. */
  static List<String> differences(SurgeRun run) {
    Books books = new Books();
    Total driver = run.total();
    if (!driver.balances()) {
      books.differences.add("the driver's counts do not balance: " + driver);
    }
    if (run.remark().equals(SurgeRun.NEVER_QUIET)) {
      books.differences.add("consumers or provider still had something to do when it was ended");
    }
    if (run.remark().equals(SurgeRun.NEVER_QUIET) || run.remark().equals(SurgeRun.STOPPED)) {
      return books.differences;
    }
    books.consumers(run, driver);
    if (run.setup().guarded()) {
      books.commands(run);
    } else {
      books.same("refused", run.count("c.refused"), "what nobody refuses", 0);
      books.same("answered", run.count("c.answered"), "calls that succeeded", succeeded(run));
    }
    if (!run.remark().equals(SurgeRun.PROVIDER_DIED)) {
      books.provider(run);
    }
    return books.differences;
  }

  /** Of a call that the driver has no reply to, a consumer may know, or not. */
  private void consumers(SurgeRun run, Total driver) {
    long received = run.count("c.received");
    long replied = driver.answered() + driver.refused() + driver.failedByStatus();
    same(
        "received",
        received,
        "answered + refused + failed",
        run.count("c.answered") + run.count("c.refused") + run.count("c.failed"));
    between(
        "received", received, "replies the driver has", replied, "calls it sent", driver.sent());
    long lost = driver.failed() - driver.failedByStatus();
    within("answered", run.count("c.answered"), driver.answered(), lost);
    within("refused", run.count("c.refused"), driver.refused(), lost);
    within("failed", run.count("c.failed"), driver.failedByStatus(), lost);
  }

  private void commands(SurgeRun run) {
    same("answered", run.count("c.answered"), "SUCCESS", run.count("command.SUCCESS"));
    same(
        "refused",
        run.count("c.refused"),
        "THREAD_POOL_REJECTED + SHORT_CIRCUITED",
        run.count("command.THREAD_POOL_REJECTED") + run.count("command.SHORT_CIRCUITED"));
    same(
        "failed",
        run.count("c.failed"),
        "FAILURE + TIMEOUT",
        run.count("command.FAILURE") + run.count("command.TIMEOUT"));
    // those that came in time, and those that came although the call had timed out
    between(
        "calls that succeeded",
        succeeded(run),
        "SUCCESS",
        run.count("command.SUCCESS"),
        "SUCCESS + TIMEOUT",
        run.count("command.SUCCESS") + run.count("command.TIMEOUT"));
  }

  private void provider(SurgeRun run) {
    same("calls the provider began", run.count("p.begun"), "those it did", run.count("p.done"));
    between(
        "calls the provider did",
        run.count("p.done"),
        "calls that succeeded",
        succeeded(run),
        "calls that went out to it",
        run.count("c.attempts"));
  }

  private static long succeeded(SurgeRun run) {
    return run.count("c.succeeded");
  }

  private void within(String ending, long consumers, long driver, long lost) {
    between(
        ending + " by the consumers",
        consumers,
        "what the driver has of it",
        driver,
        "that and the calls it has no reply to",
        driver + lost);
  }

  private void same(String one, long oneCount, String other, long otherCount) {
    if (oneCount != otherCount) {
      differences.add(one + " is " + oneCount + ", but " + other + " is " + otherCount);
    }
  }

  private void between(
      String name, long count, String least, long leastCount, String most, long mostCount) {
    if (count < leastCount || count > mostCount) {
      differences.add(
          name
              + " is "
              + count
              + ", expected at least "
              + leastCount
              + " ("
              + least
              + ") and at most "
              + mostCount
              + " ("
              + most
              + ")");
    }
  }
}
