// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal.stream;

import dev.tenrec.hystrix.stream.HystrixStream;
import java.util.Map;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.handler.SimpleUrlHandlerMapping;

/** The stream as a handler of its own: an endpoint of Boot's that returns one delivers nothing. */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnClass({HystrixStream.class, DispatcherHandler.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnBean(HystrixStream.class)
public class ReactiveStreamConfiguration {

  /** Before what serves static resources. */
  private static final int ORDER = -1;

  @Bean
  static SimpleUrlHandlerMapping tenrecHystrixStreamMapping(
      HystrixStream stream, WebEndpointProperties endpoints) {
    return new SimpleUrlHandlerMapping(
        Map.of(StreamPath.of(endpoints, "hystrixstream"), new StreamWebHandler(stream)), ORDER);
  }

  @Bean
  static StreamEnd tenrecHystrixStreamEnd(HystrixStream stream) {
    return new StreamEnd(stream::close);
  }
}
