// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.Subscription;
import java.util.Map;

/** A source without a property: a Tenrec with it has no thread for settings. */
public final class NoSettings implements SettingsSource {

  @Override
  public Map<String, String> values(String prefix) {
    return Map.of();
  }

  @Override
  public Subscription subscribe(Runnable onChange) {
    return () -> {};
  }

  @Override
  public void close() {}
}
