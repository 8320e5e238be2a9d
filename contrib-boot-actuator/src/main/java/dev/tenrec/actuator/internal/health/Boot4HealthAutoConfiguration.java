// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal.health;

import dev.tenrec.actuator.internal.CircuitReport;
import dev.tenrec.core.Tenrec;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Circuits in health, where Boot 4 has its types. */
@AutoConfiguration(afterName = "dev.tenrec.annotations.boot.TenrecAutoConfiguration")
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(Tenrec.class)
public class Boot4HealthAutoConfiguration {

  @Bean
  @ConditionalOnEnabledHealthIndicator("tenrec")
  static HealthIndicator tenrecHealthIndicator(Tenrec tenrec) {
    return () -> {
      CircuitReport report = CircuitReport.of(tenrec);
      return Health.status(report.status()).withDetails(report.details()).build();
    };
  }
}
