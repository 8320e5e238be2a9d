// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import dev.tenrec.annotations.web.RequestAttributesPropagator;
import dev.tenrec.annotations.web.RequestContextFilter;
import dev.tenrec.core.DeadlineHeader;
import dev.tenrec.core.Tenrec;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** A request context per servlet request. */
@AutoConfiguration(after = TenrecAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(
    name = {"jakarta.servlet.Filter", "org.springframework.web.filter.OncePerRequestFilter"})
@ConditionalOnProperty(name = "tenrec.annotations.request-context", matchIfMissing = true)
public class ServletRequestAutoConfiguration {

  /** The filter; the web server takes it up by its type. */
  @Bean
  @ConditionalOnMissingBean
  RequestContextFilter tenrecRequestContextFilter(
      Tenrec tenrec, @Value("${tenrec.annotations.deadline-header:}") String header) {
    return new RequestContextFilter(tenrec, header.isBlank() ? null : DeadlineHeader.named(header));
  }

  /** What Spring's own accessor carries, where there is one. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(
      name = {
        "io.micrometer.context.ThreadLocalAccessor",
        "org.springframework.web.context.request.RequestAttributesThreadLocalAccessor"
      })
  static class RequestAttributesConfiguration {

    /** Before the application's customizers. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    TenrecCustomizer tenrecRequestAttributes() {
      return builder -> builder.propagate(new RequestAttributesPropagator());
    }
  }
}
