// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator;

import dev.tenrec.core.Tenrec;
import dev.tenrec.micrometer.TenrecMetrics;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * The meters of the application's Tenrec, which Boot binds to its registries. A bean of type {@link
 * TenrecMetrics} takes their place.
 */
@AutoConfiguration(afterName = "dev.tenrec.annotations.boot.TenrecAutoConfiguration")
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnBean(Tenrec.class)
public class TenrecMetricsAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  static TenrecMetrics tenrecMetrics(Tenrec tenrec) {
    return TenrecMetrics.of(tenrec);
  }
}
