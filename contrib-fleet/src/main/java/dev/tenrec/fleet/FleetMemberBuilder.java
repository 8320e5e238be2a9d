// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet;

import dev.tenrec.fleet.internal.Follower;
import dev.tenrec.fleet.internal.FollowerPlan;
import dev.tenrec.fleet.internal.LastGood;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Describes a {@link FleetMember}. Not thread-safe. */
public final class FleetMemberBuilder {

  private final FleetStore store;
  private final String id;
  private @Nullable String zone;
  private String prefix = "tenrec";
  private @Nullable LastGood lastGood;
  private Ticker ticker = Ticker.system();
  private Waiter waiter = Waiter.system();
  private InstantSource wallClock = InstantSource.system();

  FleetMemberBuilder(FleetStore store, String id) {
    this.store = Objects.requireNonNull(store, "store");
    this.id = FleetLayer.checkName("instance", id);
  }

  /** The zone whose layer concerns it. Default: none. */
  public FleetMemberBuilder zone(String zone) {
    this.zone = FleetLayer.checkName("zone", zone);
    return this;
  }

  /** The prefix of keys; must equal that of the Tenrec. Default {@code tenrec}. */
  public FleetMemberBuilder prefix(String prefix) {
    this.prefix = Objects.requireNonNull(prefix, "prefix");
    return this;
  }

  /**
   * The file that keeps the last settings, for a start while the store cannot be reached. Of one
   * instance only, in a directory that exists; only its owner may read the file. Default: nowhere,
   * so that it starts without the fleet's settings then.
   */
  public FleetMemberBuilder lastGood(Path file) {
    lastGood = new LastGood(Objects.requireNonNull(file, "file"));
    return this;
  }

  /** Time, for all that reads it and waits for it. Default: the system's. */
  public FleetMemberBuilder time(Ticker ticker, Waiter waiter) {
    this.ticker = Objects.requireNonNull(ticker, "ticker");
    this.waiter = Objects.requireNonNull(waiter, "waiter");
    return this;
  }

  /**
   * This machine's clock, asked only for how long the last-good file has lain there. Default: the
   * system's.
   */
  public FleetMemberBuilder wallClock(InstantSource clock) {
    wallClock = Objects.requireNonNull(clock, "clock");
    return this;
  }

  /**
   * Joins the fleet. Waits for the store's first answer; without one it has the settings of the
   * last-good file, and goes on trying.
   */
  public FleetMember start() {
    FollowerPlan plan =
        new FollowerPlan(store, id, zone, prefix, lastGood, ticker, waiter, wallClock);
    return new FleetMember(Follower.start(plan));
  }
}
