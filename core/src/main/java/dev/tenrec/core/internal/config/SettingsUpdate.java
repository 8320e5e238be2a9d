// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.SettingChange;
import dev.tenrec.core.internal.text.LogText;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settings are about to become others: their owner has prepared for it.
 *
 * @param scope what the settings are of
 * @param live what holds the settings
 * @param before the values they were made of
 * @param after the values they are made of from now on
 * @param old the settings before
 * @param changed the settings from now on
 * @param prepared what the owner has made
 */
record SettingsUpdate<S>(
    ScopeSettings<S> scope,
    LiveSettings<S> live,
    Values before,
    Values after,
    S old,
    S changed,
    PreparedChange prepared) {

  private static final Logger LOG = LoggerFactory.getLogger(SettingsUpdate.class);

  /** The settings are the current ones; their owner does not go by them yet. */
  void publish() {
    if (!live.isClosed()) {
      live.publish(after, changed);
    }
  }

  /**
   * Has the owner go by them. Where it throws all of them are refused, and the old ones are current
   * again.
   *
   * @return whether the owner goes by them; false also if it has gone meanwhile
   */
  boolean apply() {
    if (live.isClosed()) {
      discard();
      return false;
    }
    try {
      prepared.apply();
      return true;
    } catch (RuntimeException | Error thrown) {
      if (!live.isClosed()) {
        live.publish(before, old);
        scope.refuse(live, scope.scope().differing(before, after), after, thrown);
      }
      return false;
    }
  }

  /** It does not come about. */
  void discard() {
    try {
      prepared.discard();
    } catch (RuntimeException | Error thrown) {
      LOG.error(
          "{} {} failed to discard settings", scope.scope().name(), LogText.of(live.key()), thrown);
    }
  }

  /** What has changed, property by property. */
  List<SettingChange> changes() {
    return scope.scope().differing(before, after).stream()
        .map(
            property ->
                new SettingChange(
                    scope.scope().name(),
                    live.key(),
                    property.name(),
                    property.write(before.find(property)),
                    property.write(after.find(property)),
                    scope.originOfChange(live, property)))
        .toList();
  }
}
