// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Tests within a test, of which some fail on purpose. */
public final class Played {

  private Played() {}

  /** Runs the tests of a class here and now. */
  public static TestExecutionSummary tests(Class<?> type) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(type)).build();
    LauncherFactory.create().execute(request, listener);
    return listener.getSummary();
  }
}
