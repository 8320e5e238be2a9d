// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How the tests of every module wait; JUnit finds this as a service. They wait long enough on a
 * busy machine: Awaitility's own 10 s are sometimes too few there, and say nothing about Tenrec. It
 * stays below the limit of one test method, so that a wait in vain names what it waited for. And
 * they look at once and often: Awaitility's own 100 ms before each first look are most of what the
 * suite would take.
 */
public final class PatientWaits implements Extension, BeforeAllCallback {

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(90));
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval((looks, before) -> Duration.ofMillis(Math.min(looks, 20)));
  }
}
