// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint.app;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandProperty;
import java.io.IOException;
import org.springframework.stereotype.Service;

/** What {@code Sizing} says of this machine; set at start-up, by properties. */
@Service
class Sized implements Endpoint {

  private final Dependency dependency;

  Sized(Dependency dependency) {
    this.dependency = dependency;
  }

  @Override
  @Command(
      fallbackMethod = "busy",
      commandProperties = {
        @CommandProperty(name = "execution.timeout.enabled", value = "true"),
        @CommandProperty(
            name = "execution.isolation.thread.timeoutInMilliseconds",
            value = "${sized.timeoutMillis:70}"),
        @CommandProperty(
            name = "circuitBreaker.errorThresholdPercentage",
            value = "${sized.errorThresholdPercentage:10}"),
        @CommandProperty(
            name = "circuitBreaker.requestVolumeThreshold",
            value = "${sized.volumeThreshold:20}"),
        @CommandProperty(
            name = "circuitBreaker.sleepWindowInMilliseconds",
            value = "${sized.sleepMillis:500}"),
        @CommandProperty(
            name = "fallback.isolation.semaphore.maxConcurrentRequests",
            value = "${sized.fallbackPermits:3}")
      },
      threadPoolProperties = {
        @CommandProperty(name = "coreSize", value = "${sized.coreSize:20}"),
        @CommandProperty(name = "maximumSize", value = "${sized.maximumSize:25}"),
        @CommandProperty(name = "allowMaximumSizeToDivergeFromCoreSize", value = "true"),
        @CommandProperty(name = "maxQueueSize", value = "${sized.queueSize:20}"),
        @CommandProperty(name = "queueSizeRejectionThreshold", value = "${sized.queueSize:20}")
      })
  public Answer answer() throws IOException, InterruptedException {
    return dependency.work();
  }

  Answer busy() {
    return Answer.BUSY;
  }
}
