// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.kit.Reconciliation;
import dev.tenrec.field.load.Counts;
import dev.tenrec.field.provider.service.Method;
import dev.tenrec.metrics.event.EventType;
import java.util.List;

/** Whether driver, provider, commands, pools and store agree on one point. */
final class PointReconciliation {

  private final Measured measured;
  private final Reconciliation found = new Reconciliation();
  private long sent;
  private long failed;

  private PointReconciliation(Measured measured) {
    this.measured = measured;
  }

  /** What does not agree; nothing, if all does. */
  static List<String> differences(Measured measured) {
    PointReconciliation reconciliation = new PointReconciliation(measured);
    measured.results().keySet().forEach(reconciliation::method);
    reconciliation.provider();
    reconciliation.pools();
    return reconciliation.found.differences();
  }

  private void method(Method method) {
    Counts counts = measured.counts(method);
    String name = method.key() + ": ";
    counts.reconcile(name, found);
    // a call that failed may have reached the provider and been done there, or not
    within(name + "the command's successes", event(method, EventType.SUCCESS), counts.answered());
    within(
        name + "the command's rejections",
        event(method, EventType.THREAD_POOL_REJECTED),
        counts.refused());
    long performed = event(method, EventType.SUCCESS) + event(method, EventType.FAILURE);
    long entered = Math.round(measured.store().getOrDefault(method.key() + ".entered", 0.0));
    found.between(
        name + "asked of the store",
        entered,
        "successes",
        event(method, EventType.SUCCESS),
        "work done",
        performed);
    sent += counts.sent();
    failed += counts.failed();
  }

  /** Nothing that was let in or refused is missing from the commands' counts. */
  private void provider() {
    long received = measured.count("received");
    found.between(
        "received by the provider", received, "sent and not failed", sent - failed, "sent", sent);
    long counted = 0;
    for (Method method : measured.results().keySet()) {
      counted +=
          event(method, EventType.SUCCESS)
              + event(method, EventType.FAILURE)
              + event(method, EventType.THREAD_POOL_REJECTED);
    }
    found.same("the provider received", received, "its commands counted", counted);
    found.same(
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
      found.same(pool + "core", measured.count(pool + "core"), "set", asked.core());
      found.same(pool + "maximum", measured.count(pool + "maximum"), "set", asked.maximum());
      found.same(pool + "queue", measured.count(pool + "queue"), "set", asked.queue());
    }
    found.same("executed by pools", sum("executed"), "by commands", executed);
    found.same("rejected by pools", sum("rejected"), "by commands", rejected);
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
    found.seen(what, count, seen, failures);
  }
}
