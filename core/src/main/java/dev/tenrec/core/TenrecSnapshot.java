// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.metrics.view.CollapserSnapshot;
import dev.tenrec.metrics.view.CollapserView;
import dev.tenrec.metrics.view.CommandSnapshot;
import dev.tenrec.metrics.view.CommandView;
import dev.tenrec.metrics.view.PoolSnapshot;
import dev.tenrec.metrics.view.PoolView;
import java.util.List;

/**
 * All that one Tenrec had to show, each of the moment it was read; they are read one after the
 * other, in a microsecond or so each, while calls go on. In no particular order.
 *
 * @param atNanos when the reading began, on the scale of the Tenrec's {@link
 *     dev.tenrec.metrics.time.Ticker}: for rates, by the difference of two
 * @param commands the commands there were
 * @param pools the thread pools there were
 * @param collapsers the collapsers there were
 */
public record TenrecSnapshot(
    long atNanos,
    List<CommandSnapshot> commands,
    List<PoolSnapshot> pools,
    List<CollapserSnapshot> collapsers) {

  /** Copies the lists. */
  public TenrecSnapshot {
    commands = List.copyOf(commands);
    pools = List.copyOf(pools);
    collapsers = List.copyOf(collapsers);
  }

  static TenrecSnapshot of(Tenrec tenrec) {
    return new TenrecSnapshot(
        tenrec.nanoTime(),
        tenrec.commands().stream().map(CommandView::snapshot).toList(),
        tenrec.pools().stream().map(PoolView::snapshot).toList(),
        tenrec.collapsers().stream().map(CollapserView::snapshot).toList());
  }
}
