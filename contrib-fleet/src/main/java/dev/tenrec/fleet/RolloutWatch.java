// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet;

import dev.tenrec.core.config.Subscription;
import dev.tenrec.fleet.internal.Effects;
import dev.tenrec.fleet.internal.Names;
import dev.tenrec.fleet.model.MemberReport;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.StoreListener;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Waits until all instances report a version. Of one thread; the store notifies on its own. */
final class RolloutWatch implements StoreListener {

  /** A notification may be lost. */
  static final long LOOK_ANYWAY_NANOS = 500_000_000;

  private static final long TOGETHER_NANOS = 10_000_000;

  private final FleetStore store;
  private final long version;
  private final Ticker ticker;
  private final Waiter waiter;
  private final Thread waiting = Thread.currentThread();

  /** The last report of each instance. */
  private final Map<String, MemberReport> known = new HashMap<>();

  /**
   * Something has changed since the last look began. A wake-up alone does not say so for long: the
   * look itself waits for the store, on the same thread, and ends with any wake-up. Written by the
   * store's thread, read and cleared by the waiting one, ordered by atomic access.
   */
  private final AtomicBoolean news = new AtomicBoolean();

  private RolloutWatch(FleetStore store, long version, Ticker ticker, Waiter waiter) {
    this.store = store;
    this.version = version;
    this.ticker = ticker;
    this.waiter = waiter;
  }

  /**
   * Waits on the calling thread.
   *
   * @param patience how long at most
   * @return how far it has come then
   */
  static Rollout await(
      FleetStore store, long version, Duration patience, Ticker ticker, Waiter waiter) {
    RolloutWatch watch = new RolloutWatch(store, version, ticker, waiter);
    try (Subscription watched = store.watch(Names.APPLIED, watch)) {
      long patienceNanos = Math.max(0, TimeUnit.NANOSECONDS.convert(patience)); // as many as fit
      return watch.await(ticker.nanoTime() + patienceNanos);
    }
  }

  private Rollout await(long endNanos) {
    long lookedNanos = ticker.nanoTime();
    Rollout rollout = look();
    while (!rollout.isComplete()
        && ticker.nanoTime() - endNanos < 0
        && !Thread.currentThread().isInterrupted()) {
      // reports come in crowds, and the store has them to write meanwhile: it is not asked for
      // them more than half of the time
      long together = Math.max(TOGETHER_NANOS, ticker.nanoTime() - lookedNanos);
      awaitNews(earlier(ticker.nanoTime() + LOOK_ANYWAY_NANOS, endNanos));
      pause(earlier(ticker.nanoTime() + together, endNanos));
      lookedNanos = ticker.nanoTime();
      rollout = look();
    }
    return rollout;
  }

  private void awaitNews(long untilNanos) {
    while (!news.get() && isBefore(untilNanos)) {
      waiter.awaitUntil(untilNanos);
    }
  }

  /** So long, however often it is woken: what wakes it is looked at afterwards. */
  private void pause(long untilNanos) {
    while (isBefore(untilNanos)) {
      waiter.awaitUntil(untilNanos);
    }
  }

  private boolean isBefore(long untilNanos) {
    return ticker.nanoTime() - untilNanos < 0 && !Thread.currentThread().isInterrupted();
  }

  private static long earlier(long oneNanos, long otherNanos) {
    return oneNanos - otherNanos < 0 ? oneNanos : otherNanos;
  }

  /** Reads the reports that are not known to have the version. */
  private Rollout look() {
    news.set(false); // before reading: what comes from now on may be missed by it
    List<String> ids = MemberReports.ids(store);
    known.keySet().retainAll(ids);
    List<String> behind = ids.stream().filter(this::isBehind).toList();
    MemberReports.of(store, behind).forEach(report -> known.put(report.id(), report));
    List<String> applied = new ArrayList<>();
    SortedMap<String, String> waitedFor = new TreeMap<>();
    SortedMap<String, String> remarks = new TreeMap<>();
    for (MemberReport report : new TreeMap<>(known).values()) {
      if (report.version() >= version) {
        applied.add(report.id());
        String remark = Effects.remark(report);
        if (!remark.isEmpty()) {
          remarks.put(report.id(), remark);
        }
      } else {
        waitedFor.put(report.id(), Effects.whyNot(report));
      }
    }
    return new Rollout(version, List.copyOf(applied), waitedFor, remarks);
  }

  private boolean isBehind(String id) {
    MemberReport before = known.get(id);
    return before == null || before.version() < version;
  }

  private void wake() {
    news.set(true);
    waiter.wake(waiting);
  }

  @Override
  public void changed() {
    wake();
  }

  @Override
  public void connected() {
    wake();
  }

  @Override
  public void disconnected() {}
}
