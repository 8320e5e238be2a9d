// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.flight;

import dev.tenrec.core.breaker.BreakerRules;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.config.Refusal;
import dev.tenrec.core.config.SettingChange;
import dev.tenrec.core.config.SettingOrigin;
import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.view.PoolSnapshot;

/** Writes events. Made when the recorder is started, or by a Tenrec that comes after that. */
final class JfrRecording implements Recording {

  // Asked whether they are on, so that a call that is not recorded makes no object.
  private static final CallEvent CALL = new CallEvent();
  private static final RefusedEvent REFUSED = new RefusedEvent();

  @Override
  public boolean wantsCalls() {
    return CALL.isEnabled();
  }

  @Override
  public FlightCall begin() {
    CallEvent event = new CallEvent();
    event.begin();
    return event;
  }

  @Override
  public void refused(String command, String reason, String bulkhead, int inUse, int limit) {
    if (REFUSED.isEnabled()) {
      RefusedEvent event = new RefusedEvent();
      event.command = command;
      event.reason = reason;
      event.bulkhead = bulkhead;
      event.inUse = inUse;
      event.limit = limit;
      event.commit();
    }
  }

  @Override
  public void timedOut(String command, long timeoutNanos, long executionNanos) {
    TimeoutEvent event = new TimeoutEvent();
    if (event.isEnabled()) {
      event.command = command;
      event.timeout = timeoutNanos;
      event.execution = Math.max(0, executionNanos);
      event.begun = executionNanos >= 0;
      event.commit();
    }
  }

  @Override
  public void beyondDeadline(String command, long executionNanos) {
    BeyondDeadlineEvent event = new BeyondDeadlineEvent();
    if (event.isEnabled()) {
      event.command = command;
      event.execution = Math.max(0, executionNanos);
      event.begun = executionNanos >= 0;
      event.commit();
    }
  }

  @Override
  public void stillBusy(String command, long nanos) {
    StillBusyEvent event = new StillBusyEvent();
    if (event.isEnabled()) {
      event.command = command;
      event.busy = nanos;
      event.commit();
    }
  }

  @Override
  public void journalled(JournalEntry entry) {
    if (entry instanceof JournalEntry.CircuitChanged changed) {
      transition(changed.key(), changed.transition());
    } else if (entry instanceof JournalEntry.SettingChanged changed) {
      setting(changed.change());
    } else if (entry instanceof JournalEntry.SettingRefused refused) {
      refusal(refused.refusal());
    } // refused and late calls have events of their own
  }

  private static void transition(String command, Transition transition) {
    CircuitTransitionEvent event = new CircuitTransitionEvent();
    if (event.isEnabled()) {
      event.command = command;
      event.from = transition.from().name();
      event.to = transition.to().name();
      event.reason = transition.reason().name();
      event.explanation = transition.explanation();
      event.remark = transition.remark();
      event.number = transition.number();
      HealthSnapshot health = transition.health();
      event.calls = health.total();
      event.errors = health.errors();
      event.rejected = health.rejected();
      event.slow = health.slow();
      event.troublePercentage = health.troublePercentage();
      BreakerRules rules = transition.rules();
      event.errorThresholdPercentage = rules.errorThresholdPercentage();
      event.requestVolumeThreshold = rules.requestVolumeThreshold();
      event.halfOpenTrials = rules.halfOpenTrials();
      event.sleepWindow = rules.sleepWindowNanos();
      event.commit();
    }
  }

  private static void setting(SettingChange change) {
    SettingChangeEvent event = new SettingChangeEvent();
    if (event.isEnabled()) {
      event.scope = change.scope();
      event.key = change.key();
      event.property = change.property();
      event.oldValue = change.oldValue();
      event.newValue = change.newValue();
      SettingOrigin origin = change.origin();
      event.version = origin == null ? 0 : origin.version();
      event.author = origin == null ? null : origin.author();
      event.commit();
    }
  }

  private static void refusal(Refusal refusal) {
    SettingRefusedEvent event = new SettingRefusedEvent();
    if (event.isEnabled()) {
      event.key = refusal.key();
      event.value = refusal.value();
      event.rule = refusal.rule();
      SettingOrigin origin = refusal.origin();
      event.version = origin == null ? 0 : origin.version();
      event.author = origin == null ? null : origin.author();
      event.commit();
    }
  }

  /** One pool of a sample. */
  static void samplePool(PoolSnapshot pool) {
    PoolSampleEvent event = new PoolSampleEvent();
    event.pool = pool.key();
    event.active = pool.active();
    event.threads = pool.threads();
    event.queued = pool.queued();
    event.coreSize = pool.coreSize();
    event.maximumSize = pool.maximumSize();
    event.executed = pool.cumulativeExecuted();
    event.rejected = pool.cumulativeRejected();
    event.commit();
  }
}
