// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator;

import dev.tenrec.actuator.internal.TenrecEndpoint;
import dev.tenrec.core.Tenrec;
import java.util.Map;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The endpoint {@code tenrec}, read-only unless its access says otherwise, and an info. */
@AutoConfiguration(afterName = "dev.tenrec.annotations.boot.TenrecAutoConfiguration")
@ConditionalOnClass({WebEndpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(Tenrec.class)
public class TenrecEndpointAutoConfiguration {

  @Bean
  @ConditionalOnAvailableEndpoint
  static TenrecEndpoint tenrecEndpoint(Tenrec tenrec) {
    return new TenrecEndpoint(tenrec);
  }

  @Bean
  @ConditionalOnEnabledInfoContributor("tenrec")
  static InfoContributor tenrecInfoContributor(Tenrec tenrec) {
    return info ->
        info.withDetail(
            "tenrec",
            Map.of(
                "commands", tenrec.commands().size(),
                "pools", tenrec.pools().size(),
                "semaphores", tenrec.semaphores().size(),
                "collapsers", tenrec.collapsers().size(),
                "threads", tenrec.liveThreads(),
                "refusedSettings", tenrec.refusedSettings()));
  }
}
