// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal.console;

import dev.tenrec.actuator.internal.stream.StreamEnd;
import dev.tenrec.actuator.internal.stream.StreamPath;
import dev.tenrec.console.ConsolePage;
import dev.tenrec.console.ConsoleServlet;
import jakarta.servlet.Servlet;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;

/** The page as a servlet of its own, at each of its names. */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnClass({ConsolePage.class, Servlet.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean({ConsolePage.class, ConsoleEndpoint.class})
public class ServletConsoleConfiguration {

  @Bean
  static ServletRegistrationBean<ConsoleServlet> tenrecConsoleServlet(
      ConsolePage page, WebEndpointProperties endpoints) {
    String root = StreamPath.of(endpoints, ConsoleEndpoint.ID) + "/";
    return new ServletRegistrationBean<>(
        new ConsoleServlet(page, false),
        page.names().stream().map(name -> root + name).toArray(String[]::new));
  }

  @Bean
  static StreamEnd tenrecConsoleEnd(ConsolePage page) {
    return new StreamEnd(page::close);
  }
}
