// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal.console;

import dev.tenrec.actuator.internal.stream.StreamEnd;
import dev.tenrec.actuator.internal.stream.StreamPath;
import dev.tenrec.console.ConsolePage;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.handler.SimpleUrlHandlerMapping;

/** The page as handlers of its own, one for each of its names. */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnClass({ConsolePage.class, DispatcherHandler.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnBean({ConsolePage.class, ConsoleEndpoint.class})
public class ReactiveConsoleConfiguration {

  /** Before what serves static resources. */
  private static final int ORDER = -1;

  @Bean
  static SimpleUrlHandlerMapping tenrecConsoleMapping(
      ConsolePage page, WebEndpointProperties endpoints) {
    String root = StreamPath.of(endpoints, ConsoleEndpoint.ID) + "/";
    Map<String, ConsoleWebHandler> handlers = new HashMap<>();
    page.names().forEach(name -> handlers.put(root + name, new ConsoleWebHandler(page, name)));
    return new SimpleUrlHandlerMapping(handlers, ORDER);
  }

  @Bean
  static StreamEnd tenrecConsoleEnd(ConsolePage page) {
    return new StreamEnd(page::close);
  }
}
