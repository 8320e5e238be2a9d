// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator;

import dev.tenrec.core.Tenrec;
import dev.tenrec.hystrix.stream.HystrixStream;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** What {@code /actuator/hystrixstream} serves, where it is asked for and its module is there. */
@AutoConfiguration(afterName = "dev.tenrec.annotations.boot.TenrecAutoConfiguration")
@ConditionalOnClass(HystrixStream.class)
@ConditionalOnBean(Tenrec.class)
@ConditionalOnProperty("management.tenrec.hystrix-stream.enabled")
public class TenrecHystrixStreamAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  static HystrixStream tenrecHystrixStream(Tenrec tenrec) {
    return HystrixStream.of(tenrec);
  }
}
