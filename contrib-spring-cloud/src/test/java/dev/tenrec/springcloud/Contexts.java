// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import dev.tenrec.annotations.boot.RefreshAutoConfiguration;
import dev.tenrec.annotations.boot.TenrecAutoConfiguration;
import dev.tenrec.springcloud.boot.CircuitBreakerAutoConfiguration;
import dev.tenrec.springcloud.boot.FeignCircuitsAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Contexts with what Boot finds on the class path. */
final class Contexts {

  private Contexts() {}

  static ApplicationContextRunner runner() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                TenrecAutoConfiguration.class,
                RefreshAutoConfiguration.class,
                CircuitBreakerAutoConfiguration.class,
                FeignCircuitsAutoConfiguration.class))
        // of circuit breakers that say none: the first call of a busy machine takes its time
        .withPropertyValues(
            "tenrec.command.default.execution.isolation.thread.timeout-in-milliseconds=30s");
  }
}
