// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Somebody's settings have become others, and nobody was told yet.
 *
 * @param scope what the settings are of
 * @param live whose settings
 * @param before the values they were made of
 * @param after the values they are made of now
 * @param visible whether the records differ, not only the values behind them
 */
record Transition<S>(
    Scope<S> scope, LiveSettings<S> live, Values before, Values after, boolean visible) {

  private static final Logger LOG = LoggerFactory.getLogger(Transition.class);

  /** Tells the owner, then the listener, property by property. */
  void tell(SettingChangeListener listener) {
    if (visible) {
      try {
        live.tell(live.current());
      } catch (RuntimeException | Error thrown) {
        LOG.error(
            "The owner of {} {} failed to take over its new settings",
            scope.name(),
            live.key(),
            thrown);
      }
    }
    if (listener.equals(SettingChangeListener.NONE)) {
      return;
    }
    for (Property<?> property : scope.table().properties()) {
      if (!before.sameAt(property, after)) {
        tell(listener, property);
      }
    }
  }

  private void tell(SettingChangeListener listener, Property<?> property) {
    SettingChange change =
        new SettingChange(
            scope.name(),
            live.key(),
            property.name(),
            property.write(before.find(property)),
            property.write(after.find(property)));
    try {
      listener.onChange(change);
    } catch (RuntimeException | Error thrown) {
      LOG.error("A listener threw at {}", change, thrown);
    }
  }
}
