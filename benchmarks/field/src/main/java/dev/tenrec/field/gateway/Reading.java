// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.field.gateway.proxy.GatewayCounts;
import dev.tenrec.field.gateway.proxy.Refusal;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.service.ServiceCounts;
import org.jspecify.annotations.Nullable;

/**
 * What one load came to, as the driver, the gateway and the service saw it.
 *
 * @param cell which
 * @param result the driver's
 * @param seconds how long it took, to the last call's end
 * @param explanations how the answers explained refusals
 * @param service the service's
 * @param gateway the gateway's; null if it was direct
 */
record Reading(
    Cell cell,
    Result result,
    double seconds,
    Explanations explanations,
    ServiceCounts service,
    @Nullable GatewayCounts gateway) {

  /** Refused for want of a permit, as the answers said. */
  long noPermit() {
    return explanations.count(CommandRejectedException.Reason.SEMAPHORE.name());
  }

  /** Refused by an open circuit, as the answers said. */
  long circuitOpen() {
    return explanations.count(Refusal.CIRCUIT_OPEN);
  }

  /** Calls that ended, in whatever way, in a second: what the original's tool shows. */
  double callsPerSecond() {
    return result.counts().sent() / seconds;
  }

  /** Processor time of the gateway for each call it received, in microseconds; 0 if direct. */
  double cpuMicrosPerCall() {
    return gateway == null
        ? 0
        : gateway.process().cpuNanos() / 1e3 / Math.max(1, gateway.received());
  }

  /** How many cores the service kept busy. */
  double serviceCores() {
    return service.process().cores(seconds);
  }

  /** How many cores the gateway kept busy; 0 if direct. */
  double cores() {
    return gateway == null ? 0 : gateway.process().cores(seconds);
  }
}
