// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Map;
import java.util.TreeMap;
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

  /** Why each test failed that did, by its display name. */
  public static Map<String, String> failures(TestExecutionSummary summary) {
    Map<String, String> messages = new TreeMap<>();
    for (TestExecutionSummary.Failure failure : summary.getFailures()) {
      messages.put(
          failure.getTestIdentifier().getDisplayName(), failure.getException().getMessage());
    }
    return messages;
  }
}
