// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs the tests of one class, in a JVM of its own; exits by 1 if one of them fails. */
final class OneTestClass {

  private OneTestClass() {}

  public static void main(String[] arguments) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request().selectors(selectClass(arguments[0])).build(),
            listener);
    TestExecutionSummary summary = listener.getSummary();
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    summary.printFailuresTo(out);
    long failed = summary.getTotalFailureCount();
    out.printf("%d of %d tests failed%n", failed, summary.getTestsFoundCount());
    System.exit(failed > 0 || summary.getTestsFoundCount() == 0 ? 1 : 0);
  }
}
