// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint.app;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandProperty;
import java.io.IOException;
import org.springframework.stereotype.Service;

/** Configuration A: a first guess. */
@Service
class FirstGuess implements Endpoint {

  private final Dependency dependency;

  FirstGuess(Dependency dependency) {
    this.dependency = dependency;
  }

  @Override
  @Command(
      fallbackMethod = "busy",
      commandProperties = {
        @CommandProperty(name = "execution.timeout.enabled", value = "false"),
        @CommandProperty(name = "circuitBreaker.errorThresholdPercentage", value = "20"),
        @CommandProperty(name = "circuitBreaker.requestVolumeThreshold", value = "40"),
        @CommandProperty(name = "circuitBreaker.sleepWindowInMilliseconds", value = "800"),
        @CommandProperty(name = "fallback.isolation.semaphore.maxConcurrentRequests", value = "10")
      },
      threadPoolProperties = {
        @CommandProperty(name = "coreSize", value = "2"),
        @CommandProperty(name = "maximumSize", value = "30"),
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
