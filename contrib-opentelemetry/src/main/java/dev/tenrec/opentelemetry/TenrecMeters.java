// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.opentelemetry;

import dev.tenrec.core.Tenrec;
import dev.tenrec.opentelemetry.internal.Names;
import dev.tenrec.opentelemetry.internal.Registration;
import io.opentelemetry.api.OpenTelemetry;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The counts and gauges of one Tenrec as asynchronous instruments: read when metrics are collected,
 * each command once, and recorded nowhere else. No call is listened to. What is built later comes
 * with the next collection, and what is removed goes with it. Thread-safe.
 *
 * <p>Latencies are {@link TenrecHistograms}, for the API has no histogram that is read.
 */
public final class TenrecMeters implements AutoCloseable {

  private final Registration registration;

  /** Written and read by closing threads, ordered by atomic access. */
  private final AtomicBoolean closed = new AtomicBoolean();

  private TenrecMeters(Registration registration) {
    this.registration = registration;
  }

  /** Begins to publish; each Tenrec needs a meter provider with a resource of its own. */
  public static TenrecMeters register(Tenrec tenrec, OpenTelemetry telemetry) {
    return new TenrecMeters(
        new Registration(
            Objects.requireNonNull(tenrec, "tenrec"), telemetry.getMeter(Names.SCOPE)));
  }

  /** Publishes no longer. Idempotent. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      registration.close();
    }
  }
}
