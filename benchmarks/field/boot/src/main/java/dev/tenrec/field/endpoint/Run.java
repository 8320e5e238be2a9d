// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import dev.tenrec.field.load.Result;
import java.util.Map;

/**
 * One run, as the driver, the application and the service saw it.
 *
 * @param result the driver's
 * @param degraded answers of the fallback, as the driver saw them
 * @param application what the application counted meanwhile; see {@link Bench}
 * @param service what the service counted meanwhile
 * @param busyShare how much of the time the service's slots were at work, 0 to 1
 * @param processorMillis the application's time of processors
 */
record Run(
    Configuration configuration,
    Result result,
    long degraded,
    Map<String, Long> application,
    Map<String, Long> service,
    double busyShare,
    double processorMillis) {

  /** Something the application counted; 0 if it does not know it. */
  long counted(String name) {
    return application.getOrDefault(name, 0L);
  }

  /** Answers of the dependency in a second. */
  double fullPerSecond() {
    long answered = result.counts().answered();
    return answered == 0 ? 0 : result.perSecond() * (answered - degraded) / answered;
  }

  /** Calls that ended with neither an answer nor a fallback's, of a hundred. */
  double errorPercent() {
    return percent(result.counts().failed() + result.counts().refused());
  }

  /** Calls the fallback answered, of a hundred. */
  double degradedPercent() {
    return percent(degraded);
  }

  private double percent(long calls) {
    long sent = result.counts().sent();
    return sent == 0 ? 0 : 100.0 * calls / sent;
  }

  double processorMillisPerAnswer() {
    long answered = result.counts().answered();
    return answered == 0 ? 0 : processorMillis / answered;
  }

  @Override
  public String toString() {
    return configuration.title() + ", " + result.plan().arrivals().label();
  }
}
