// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.load.Counts;
import dev.tenrec.field.provider.service.Method;
import dev.tenrec.metrics.event.EventType;
import java.util.ArrayList;
import java.util.List;

/** Whether driver, provider, commands, pools and store tell the same of one point. */
final class Books {

  private final Measured measured;
  private final List<String> differences = new ArrayList<>();
  private long sent;
  private long failed;

  private Books(Measured measured) {
    this.measured = measured;
  }

  /** What does not agree; nothing, if all does. */
  static List<String> differences(Measured measured) {
    Books books = new Books(measured);
    measured.results().keySet().forEach(books::method);
    books.provider();
    books.pools();
    return books.differences;
  }

  private void method(Method method) {
    Counts counts = measured.counts(method);
    String name = method.key() + ": ";
    same(name + "due", counts.due(), "sent + never sent", counts.sent() + counts.dropped());
    same(
        name + "sent",
        counts.sent(),
        "answered + failed + refused",
        counts.answered() + counts.failed() + counts.refused());
    // a call that failed may have reached the provider and been done there, or not
    within(name + "the command's successes", event(method, EventType.SUCCESS), counts.answered());
    within(
        name + "the command's rejections",
        event(method, EventType.THREAD_POOL_REJECTED),
        counts.refused());
    long performed = event(method, EventType.SUCCESS) + event(method, EventType.FAILURE);
    long entered = Math.round(measured.store().getOrDefault(method.key() + ".entered", 0.0));
    if (entered < event(method, EventType.SUCCESS) || entered > performed) {
      differences.add(
          name + "the store was asked " + entered + " times, but its work was done " + performed);
    }
    sent += counts.sent();
    failed += counts.failed();
  }

  /** Nothing that was let in or refused is missing from the commands' counts. */
  private void provider() {
    long received = measured.count("received");
    if (received > sent || received < sent - failed) {
      differences.add("the provider received " + received + ", but " + sent + " were sent");
    }
    long counted = 0;
    for (Method method : measured.results().keySet()) {
      counted +=
          event(method, EventType.SUCCESS)
              + event(method, EventType.FAILURE)
              + event(method, EventType.THREAD_POOL_REJECTED);
    }
    same("the provider received", received, "its commands counted", counted);
    same(
        "the provider received",
        received,
        "answered, one way or other",
        measured.count("answered"));
  }

  private void pools() {
    long executed = 0;
    long rejected = 0;
    for (Method method : measured.results().keySet()) {
      executed += event(method, EventType.SUCCESS) + event(method, EventType.FAILURE);
      rejected += event(method, EventType.THREAD_POOL_REJECTED);
      PoolSetting asked = measured.point().pool(method);
      String pool = "pool." + measured.point().poolKey(method) + ".";
      same(pool + "core", measured.count(pool + "core"), "set", asked.core());
      same(pool + "maximum", measured.count(pool + "maximum"), "set", asked.maximum());
      same(pool + "queue", measured.count(pool + "queue"), "set", asked.queue());
    }
    same("executed by pools", sum("executed"), "by commands", executed);
    same("rejected by pools", sum("rejected"), "by commands", rejected);
  }

  private long sum(String what) {
    return measured.provider().keySet().stream()
        .filter(name -> name.startsWith("pool.") && name.endsWith("." + what))
        .mapToLong(measured::count)
        .sum();
  }

  private long event(Method method, EventType event) {
    return measured.count(method.key() + "." + event);
  }

  private void within(String what, long count, long seen) {
    long failures = measured.results().values().stream().mapToLong(r -> r.counts().failed()).sum();
    if (count < seen || count > seen + failures) {
      differences.add(what + " are " + count + ", but the driver saw " + seen);
    }
  }

  private void same(String one, long oneCount, String other, long otherCount) {
    if (oneCount != otherCount) {
      differences.add(one + " is " + oneCount + ", but " + other + " is " + otherCount);
    }
  }
}
