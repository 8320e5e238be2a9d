// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.internal.collapser.Batch;
import dev.tenrec.core.internal.collapser.Deliverer;
import dev.tenrec.core.internal.config.CollapserSettings;
import dev.tenrec.core.internal.config.EffectiveReader;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandRejectedException.Reason;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.view.CollapserDetails;
import dev.tenrec.metrics.internal.CollapserMetrics;
import dev.tenrec.metrics.internal.CollapserMetricsSettings;

/**
 * What everything built for one collapser key shares: its settings and its metrics. Its batches run
 * as a command. Thread-safe.
 */
public final class CollapserRuntime {

  private final String key;
  final CommandRuntime command;
  final CollapserMetrics metrics;

  /**
   * Where its batches start. Not the command's share: dependents of members' futures run there, and
   * may wait for the next batch.
   */
  final CallbackShare starts;

  /** Made early: when a member has its ending, there may be no memory. */
  private final Deliverer deliverer;

  /**
   * Written by the thread that brings new settings, one at a time; read by each call; ordered by
   * volatile access.
   */
  private volatile CollapserSettings settings;

  /**
   * Written once, by the thread that removes the key or closes its Tenrec; read by each call;
   * ordered by volatile access.
   */
  private volatile boolean closed;

  /**
   * Makes what a collapser key stands for.
   *
   * @param key the collapser's key
   * @param command what its batches run as
   * @param settings its settings now
   */
  public CollapserRuntime(String key, CommandRuntime command, CollapserSettings settings) {
    this.key = key;
    this.command = command;
    this.settings = settings;
    this.starts = command.engine.callbacks().newShare(key);
    this.deliverer = command.callbacks()::execute;
    this.metrics = new CollapserMetrics(metricsSettings(settings), now());
  }

  /** The settings have changed: every call that begins from now on goes by the new ones. */
  public void settings(CollapserSettings changed) {
    metrics.reconfigure(metricsSettings(changed), now());
    settings = changed;
  }

  /** Its settings now. */
  public CollapserSettings settings() {
    return settings;
  }

  /** Every call from now on is rejected, and no batch starts any more. */
  public void close() {
    closed = true;
  }

  /** What its batches run as. */
  public CommandRuntime command() {
    return command;
  }

  /** Whether its key was removed, or its Tenrec closed. */
  public boolean isClosed() {
    return closed;
  }

  /**
   * Its counts and batch sizes, live.
   *
   * @param effective reads its settings with the level each comes from
   */
  public CollapserDetails view(EffectiveReader effective) {
    return new LiveCollapserView(this, effective);
  }

  /** The windows of its metrics begin now; what is counted since the beginning goes on. */
  public void resetMetrics() {
    metrics.restart(now());
  }

  String key() {
    return key;
  }

  /** Delivers to members in the share of the batch command. */
  Deliverer deliverer() {
    return deliverer;
  }

  CommandRejectedException closedRejection() {
    return new CommandRejectedException(
        key(), Reason.CLOSED, key(), 0, command.inFlight(), command.stackTraces);
  }

  CommandRejectedException startRejection(int requests) {
    command.refused(Reason.BATCH_START, "the callback executor", requests, 0, now());
    return new CommandRejectedException(
        key(), Reason.BATCH_START, "the callback executor", 0, requests, command.stackTraces);
  }

  /**
   * The error of a member that did not end by the deadline of the call it was made in.
   *
   * @param startNanos when the member was called
   * @param workBegan whether the work of its batch has begun
   */
  CommandTimeoutException late(long startNanos, long deadlineNanos, boolean workBegan) {
    return new CommandTimeoutException(
        key(),
        CommandTimeoutException.Limit.DEADLINE,
        deadlineNanos - startNanos,
        now() - startNanos,
        workBegan,
        command.stackTraces);
  }

  /** A batch that waited, or was about to start. */
  void cancel(Batch<?, ?> batch) {
    batch.cancel("it was removed, or its Tenrec closed");
  }

  long now() {
    return command.engine.ticker().nanoTime();
  }

  private static CollapserMetricsSettings metricsSettings(CollapserSettings settings) {
    return new CollapserMetricsSettings(
        settings.rollingWindowNanos(),
        settings.rollingBuckets(),
        settings.percentileEnabled(),
        settings.percentileWindowNanos(),
        settings.percentileBuckets());
  }
}
