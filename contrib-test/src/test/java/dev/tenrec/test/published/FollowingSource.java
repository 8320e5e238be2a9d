// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test.published;

import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.SourceStatus;
import dev.tenrec.core.config.Subscription;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A source of settings that follows a store, at version 17 by alice. A test can have it cut off
 * from that store. Thread-safe.
 */
public final class FollowingSource implements SettingsSource, SourceStatus {

  /** Written by the test's thread, read by any; the last one that was written counts. */
  private volatile boolean away;

  /** From now on it is cut off, or has its store again. */
  public void setAway(boolean isAway) {
    away = isAway;
  }

  @Override
  public Map<String, String> values(String prefix) {
    return Map.of();
  }

  @Override
  public Subscription subscribe(Runnable onChange) {
    return () -> {};
  }

  @Override
  public SourceStatus status() {
    return this;
  }

  @Override
  public void close() {}

  @Override
  public boolean connected() {
    return !away;
  }

  @Override
  public String instance() {
    return "shop-7";
  }

  @Override
  public @Nullable String zone() {
    return null;
  }

  @Override
  public long version() {
    return 17;
  }

  @Override
  public String author() {
    return "alice";
  }

  @Override
  public String reason() {
    return "pricing is slow";
  }

  @Override
  public boolean fromLastGood() {
    return false;
  }

  @Override
  public @Nullable String canary() {
    return null;
  }

  @Override
  public List<String> alarms() {
    return away ? List.of("the store was begun anew") : List.of();
  }
}
