// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal.stream;

import dev.tenrec.hystrix.stream.HystrixStream;
import dev.tenrec.hystrix.stream.HystrixStreamServlet;
import dev.tenrec.hystrix.stream.StreamKind;
import jakarta.servlet.Servlet;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;

/** The stream as a servlet of its own, for an endpoint of Boot's cannot stream. */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnClass({HystrixStream.class, Servlet.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(HystrixStream.class)
public class ServletStreamConfiguration {

  @Bean
  static ServletRegistrationBean<HystrixStreamServlet> tenrecHystrixStreamServlet(
      HystrixStream stream, WebEndpointProperties endpoints) {
    return new ServletRegistrationBean<>(
        new HystrixStreamServlet(stream, StreamKind.DASHBOARD),
        StreamPath.of(endpoints, "hystrixstream"));
  }

  @Bean
  static StreamEnd tenrecHystrixStreamEnd(HystrixStream stream) {
    return new StreamEnd(stream::close);
  }
}
