// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint.app;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandProperty;
import java.io.IOException;
import org.springframework.stereotype.Service;

/** Configuration D: B with a longer time-out. */
@Service
class LongerTimeout implements Endpoint {

  private final Dependency dependency;

  LongerTimeout(Dependency dependency) {
    this.dependency = dependency;
  }

  @Override
  @Command(
      fallbackMethod = "busy",
      commandProperties = {
        @CommandProperty(name = "execution.timeout.enabled", value = "true"),
        @CommandProperty(name = "execution.isolation.thread.timeoutInMilliseconds", value = "90"),
        @CommandProperty(name = "circuitBreaker.errorThresholdPercentage", value = "10"),
        @CommandProperty(name = "circuitBreaker.requestVolumeThreshold", value = "20"),
        @CommandProperty(name = "circuitBreaker.sleepWindowInMilliseconds", value = "500"),
        @CommandProperty(name = "fallback.isolation.semaphore.maxConcurrentRequests", value = "3")
      },
      threadPoolProperties = {
        @CommandProperty(name = "coreSize", value = "20"),
        @CommandProperty(name = "maximumSize", value = "25"),
        @CommandProperty(name = "allowMaximumSizeToDivergeFromCoreSize", value = "true"),
        @CommandProperty(name = "maxQueueSize", value = "20"),
        @CommandProperty(name = "queueSizeRejectionThreshold", value = "20")
      })
  public Answer answer() throws IOException, InterruptedException {
    return dependency.work();
  }

  Answer busy() {
    return Answer.BUSY;
  }
}
