// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator;

import dev.tenrec.actuator.internal.console.ConsoleEndpoint;
import dev.tenrec.console.ConsolePage;
import dev.tenrec.core.Tenrec;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/**
 * The live page as the endpoint {@code tenrecconsole}, where that is exposed and the module is
 * there. A bean of type {@link ConsolePage} takes the place of the default one.
 */
@AutoConfiguration(afterName = "dev.tenrec.annotations.boot.TenrecAutoConfiguration")
@ConditionalOnClass({ConsolePage.class, WebEndpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnWebApplication
@ConditionalOnBean(Tenrec.class)
@ConditionalOnAvailableEndpoint(ConsoleEndpoint.class)
public class TenrecConsoleAutoConfiguration {

  @Bean
  static ConsoleEndpoint tenrecConsoleEndpoint(WebEndpointProperties endpoints) {
    return new ConsoleEndpoint(endpoints);
  }

  @Bean
  @ConditionalOnMissingBean
  static ConsolePage tenrecConsolePage(Tenrec tenrec) {
    return ConsolePage.of(tenrec);
  }
}
