// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.SettingOrigin;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.fleet.internal.LastGood.Content;
import dev.tenrec.fleet.internal.Troubles.Trouble;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.Manifest;
import dev.tenrec.fleet.store.StoreException;
import dev.tenrec.fleet.store.StoreListener;
import dev.tenrec.fleet.store.StoreUnavailableException;
import dev.tenrec.metrics.time.Ticker;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the store on a thread of its own: reads what has changed, merges, applies, keeps the
 * last-good file, reports. What it holds is only given up for a later version of the same lineage.
 *
 * <p>Fields without a note are written and read by that thread, and by the starting thread before
 * it starts the other, ordered by {@link Thread#start}.
 */
public final class Follower implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
  private static final long SECOND_NANOS = 1_000_000_000;

  /** A notification may be lost, and commands may be built that change what is in force. */
  private static final long LOOK_ANYWAY_NANOS = 10 * SECOND_NANOS;

  private static final long SHORT_WAIT_NANOS = 50_000_000;
  private static final long LONG_WAIT_NANOS = 5 * SECOND_NANOS;

  private final FollowerPlan plan;
  private final List<FleetLayer> layers;
  private final Spelling spelling;
  private final StoreClock clock;
  private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();

  /** Counted down by the follower's thread, awaited by the starting thread. */
  private final CountDownLatch looked = new CountDownLatch(1);

  /**
   * There is something to read. Written by any thread, read and cleared by the follower's, ordered
   * by atomic access.
   */
  private final AtomicBoolean due = new AtomicBoolean();

  /**
   * What was announced may be gone. Written by the store's thread, read and cleared by the
   * follower's, ordered by atomic access.
   */
  private final AtomicBoolean found = new AtomicBoolean(true);

  private final Troubles troubles = new Troubles();
  private final CanaryPart canary;
  private final LastGoodKeeper keeper;
  private final MemberReporter reporter;

  /** Written by the follower's thread, read by any thread, ordered by volatile access. */
  private volatile Merge merge = Merge.NOTHING;

  /** Written by the follower's thread, read by any thread, ordered by volatile access. */
  private volatile Held held = Held.NOTHING;

  /**
   * What took away the keys that are gone, while subscribers hear of it. Written by the follower's
   * thread, read by any thread, ordered by volatile access.
   */
  private volatile Map<String, SettingOrigin> gone = Map.of();

  /** What {@link #merge} was made of. */
  private Held merged = Held.NOTHING;

  /**
   * Written by the follower's and the store's thread, read by any thread, ordered by volatile
   * access.
   */
  private volatile boolean connected;

  /**
   * There is no use in asking the store. Written by the store's thread, read by the follower's,
   * ordered by volatile access.
   */
  private volatile boolean lost;

  /** Written by the follower's thread, read by any thread, ordered by volatile access. */
  private volatile boolean fromLastGood;

  /** Written by a user's thread, read by the follower's, ordered by volatile access. */
  private volatile @Nullable Tenrec tenrec;

  /** Written by a user's thread, read by the follower's, ordered by volatile access. */
  private volatile @Nullable String console;

  /** Written by the closing thread, read by the follower's, ordered by volatile access. */
  private volatile boolean closed;

  /** Final, so that the store's thread finds it however the store hands over its listener. */
  private final Thread thread;

  /**
   * Written by the starting thread before {@link #start} returns, read by the closing thread,
   * ordered by the final field that the follower is kept in.
   */
  private @Nullable Subscription watch;

  private boolean clockRead;
  private boolean loggedAway;
  private boolean behind;
  private long retryNanos;

  /** Compared by identity, so that one task may be subscribed twice. */
  private static final class Subscriber {

    private final Runnable onChange;

    Subscriber(Runnable onChange) {
      this.onChange = onChange;
    }
  }

  private Follower(FollowerPlan plan) {
    this.plan = plan;
    this.layers = Merge.layers(plan.id(), plan.zone());
    this.spelling = new Spelling(plan.prefix());
    this.clock = new StoreClock(plan.ticker());
    this.canary = new CanaryPart(plan.id());
    this.keeper = new LastGoodKeeper(plan, troubles);
    this.reporter = new MemberReporter(plan, troubles);
    this.thread = new Thread(this::run, "tenrec-fleet-" + plan.id());
    thread.setDaemon(true);
  }

  /**
   * Reads the last-good file, and begins to follow. Waits for the store's first answer: 5 s, or if
   * there was a last-good file until 50 ms have passed with reading it.
   */
  public static Follower start(FollowerPlan plan) {
    long begunNanos = Ticker.system().nanoTime();
    Follower follower = new Follower(plan);
    follower.readLastGood();
    follower.watch = plan.store().watch(Names.HEAD, follower.new Signals());
    follower.due.set(true);
    try {
      follower.thread.start();
    } catch (RuntimeException | Error noThread) {
      follower.close(); // or the store would keep the watch
      throw noThread;
    }
    follower.awaitFirstLook(begunNanos);
    return follower;
  }

  /** An instance that has settings does not wait for a store that may be away. */
  private void awaitFirstLook(long begunNanos) {
    long waitNanos =
        fromLastGood ? begunNanos + SHORT_WAIT_NANOS - Ticker.system().nanoTime() : LONG_WAIT_NANOS;
    try {
      boolean unused = looked.await(waitNanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What it goes by: merged, without what it left. */
  public Map<String, String> values() {
    return merge.values();
  }

  /** Which version gave this key this value, or took it away; null if that is not known. */
  public @Nullable SettingOrigin origin(String key, @Nullable String value) {
    Merge now = merge;
    return Objects.equals(value, now.values().get(key))
        ? (value == null ? gone : now.origins()).get(key)
        : null;
  }

  /** As a settings source has it. */
  public Subscription subscribe(Runnable onChange) {
    Subscriber each = new Subscriber(onChange);
    subscribers.add(each);
    return () -> subscribers.remove(each);
  }

  /** Reports on this Tenrec from now on. */
  public void observe(Tenrec observed) {
    tenrec = observed;
    wake();
  }

  /** Reports where the instance's console is; null for nowhere. */
  public void console(@Nullable String address) {
    console = address;
    wake();
  }

  public String id() {
    return plan.id();
  }

  public @Nullable String zone() {
    return plan.zone();
  }

  public boolean isConnected() {
    return connected;
  }

  /** The version in force, with its author and reason. */
  public Manifest manifest() {
    return held.manifest();
  }

  private long version() {
    return held.manifest().version();
  }

  public boolean isFromLastGood() {
    return fromLastGood;
  }

  public @Nullable String canary() {
    return canary.words();
  }

  public List<String> alarms() {
    return troubles.all();
  }

  @Override
  public void close() {
    closed = true;
    if (watch != null) {
      watch.close();
    }
    if (thread == Thread.currentThread()) {
      return;
    }
    plan.waiter().wake(thread);
    try {
      thread.join(5_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void wake() {
    due.set(true);
    plan.waiter().wake(thread);
  }

  private void run() {
    while (!closed) {
      try {
        step();
      } catch (RuntimeException | Error thrown) {
        SureLog.error(LOG, "Following the fleet's settings failed; they stay, tried again", thrown);
        retrySoon();
      }
      if (!due.get() && !closed) {
        plan.waiter().awaitUntil(nextNanos());
        boolean unused = Thread.interrupted(); // its life ends by close only
      }
    }
    reporter.withdraw();
  }

  private long nextNanos() {
    long next = Math.min(0, clock.nanosAt(merge.endMillis()) - retryNanos) + retryNanos;
    if (canary.isGuarded()) {
      long soon = plan.ticker().nanoTime() + SECOND_NANOS;
      next = next - soon > 0 ? soon : next;
    }
    return next;
  }

  /** One look, and all that follows from it. */
  private void step() {
    due.set(false);
    boolean again = found.getAndSet(false);
    retryNanos = plan.ticker().nanoTime() + LOOK_ANYWAY_NANOS;
    if (again) {
      clockRead = false;
      reporter.forget();
    }
    if (lost) { // asking would hold up what ends meanwhile
      noteAway("the connection was lost");
    } else {
      look();
    }
    if (canary.leaveIfTripped(tenrec)) {
      keeper.setDue();
    }
    apply();
    looked.countDown();
    if (connected && !reporter.report(merge, held.manifest(), canary.words(), tenrec, console)) {
      retrySoon();
    }
    keeper.write(held, canary.left(), clock.nowMillis()); // last: nothing waits for it
  }

  private void noteAway(@Nullable String why) {
    boolean logged = loggedAway;
    loggedAway = true;
    connected = false;
    retrySoon();
    if (!logged) {
      SureLog.warn(
          LOG,
          "The fleet's store is not reached ({}); the settings stay as they are, version {}",
          why,
          version());
    }
  }

  private void retrySoon() {
    retryNanos = plan.ticker().nanoTime() + SECOND_NANOS;
  }

  private void look() {
    try {
      if (!clockRead) {
        clock.set(plan.store().nowMillis());
        clockRead = true;
      }
      take(FleetReader.read(plan.store(), layers, held));
      connected = true;
      loggedAway = false;
    } catch (StoreUnavailableException away) {
      noteAway(away.getMessage());
    } catch (StoreException wrong) {
      connected = true;
      trouble(Trouble.STORE, wrong.getMessage());
      retrySoon();
    }
  }

  private void take(Held read) {
    Manifest had = held.manifest();
    Manifest has = read.manifest();
    if (had.version() > 0 && has.version() == 0) {
      trouble(
          Trouble.STORE,
          "the store has no settings any more, and version " + had.version() + " was there");
    } else if (had.version() > 0 && !had.lineage().equals(has.lineage())) {
      trouble(
          Trouble.STORE,
          "the store was begun anew: it has version " + has.version() + " of another lineage");
    } else if (has.version() < had.version() && !behind) {
      behind = true; // a new session may have met a server that lags behind: looked at once more
      retrySoon();
    } else if (has.version() < had.version()) {
      trouble(
          Trouble.STORE,
          "the store has version "
              + has.version()
              + ", and version "
              + had.version()
              + " was there");
    } else {
      trouble(Trouble.STORE, null);
      behind = false;
      fromLastGood = false;
      if (!read.equals(held)) {
        held = read;
        keeper.setDue();
      }
    }
  }

  private void apply() {
    Merge before = merge;
    Merge now = Merge.of(held, plan.id(), plan.zone(), spelling, canary.left(), clock.nowMillis());
    canary.guard(now.canary(), tenrec); // before any call goes by it, so that none is missed
    gone = now.gone(before, merged, held, spelling);
    merge = now;
    merged = held;
    canary.describe(held, before.canary(), now.canary());
    if (!now.values().equals(before.values())) {
      Manifest manifest = held.manifest();
      SureLog.info(
          LOG,
          "Goes by version {} of the fleet's settings, by {}: {}",
          manifest.version(),
          manifest.author(),
          manifest.reason());
      for (Subscriber subscriber : subscribers) {
        try {
          subscriber.onChange.run();
        } catch (RuntimeException | Error thrown) {
          SureLog.error(LOG, "A subscriber of the fleet's settings threw", thrown);
        }
      }
    }
    gone = Map.of(); // what takes such a key away later is another version
  }

  private void trouble(Trouble about, @Nullable String words) {
    troubles.set(about, words, version());
  }

  private void readLastGood() {
    Content content = keeper.read();
    if (content == null) {
      return;
    }
    held = content.held();
    canary.hasLeft(content.leftCanary());
    // a clock of this machine's that was set back must not give time back
    long lay = Math.max(0, plan.wallClock().millis() - content.wallMillis());
    clock.set(content.storeMillis() + lay);
    merge = Merge.of(held, plan.id(), plan.zone(), spelling, canary.left(), clock.nowMillis());
    merged = held;
    fromLastGood = true;
  }

  /** What the store notifies of, on the store's thread: noted, and left to the follower's. */
  private final class Signals implements StoreListener {

    @Override
    public void changed() {
      wake();
    }

    @Override
    public void connected() {
      lost = false;
      found.set(true);
      wake();
    }

    @Override
    public void disconnected() {
      lost = true;
      connected = false;
      wake();
    }
  }
}
