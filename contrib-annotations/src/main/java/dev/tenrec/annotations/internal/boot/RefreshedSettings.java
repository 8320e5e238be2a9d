// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.boot;

import dev.tenrec.core.Tenrec;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ApplicationListener;

/** Reads the environment's settings again when Spring Cloud has changed some of it. */
public final class RefreshedSettings implements ApplicationListener<EnvironmentChangeEvent> {

  private final Tenrec tenrec;
  private final EnvironmentSettings settings;
  private final UnclaimedKeys unclaimed;

  /** Reads {@code settings} again for {@code tenrec}. */
  public RefreshedSettings(Tenrec tenrec, EnvironmentSettings settings, UnclaimedKeys unclaimed) {
    this.tenrec = tenrec;
    this.settings = settings;
    this.unclaimed = unclaimed;
  }

  @Override
  public void onApplicationEvent(EnvironmentChangeEvent event) {
    settings.readAgain(tenrec);
    unclaimed.warn();
  }
}
