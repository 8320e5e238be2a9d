// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.command;

import dev.tenrec.core.config.SettingChange;
import dev.tenrec.core.config.SettingChangeListener;
import dev.tenrec.metrics.time.Ticker;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what Tenrec says of settings that changed while in use. Thread-safe. */
public final class SettingsLog implements SettingChangeListener {

  /**
   * One change.
   *
   * @param atNanos when Tenrec took it over, since the run began
   * @param change what it was
   */
  public record Entry(long atNanos, SettingChange change) {

    /** Whether it is this property of this command. */
    public boolean isOf(String commandKey, String property) {
      return change.scope().equals("command")
          && change.key().equals(commandKey)
          && change.property().equals(property);
    }
  }

  private final Ticker clock;

  /** Added to by the thread that watches the file, read by the table and the summary. */
  private final List<Entry> entries = new CopyOnWriteArrayList<>();

  /** Empty at first. */
  public SettingsLog(Ticker clock) {
    this.clock = clock;
  }

  @Override
  public void onChange(SettingChange change) {
    entries.add(new Entry(clock.nanoTime(), change));
  }

  /** All so far, oldest first. */
  public List<Entry> entries() {
    return List.copyOf(entries);
  }
}
