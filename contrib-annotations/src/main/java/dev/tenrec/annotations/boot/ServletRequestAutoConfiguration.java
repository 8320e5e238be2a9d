// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import dev.tenrec.annotations.web.RequestContextFilter;
import dev.tenrec.core.Tenrec;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

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
  RequestContextFilter tenrecRequestContextFilter(Tenrec tenrec) {
    return new RequestContextFilter(tenrec);
  }
}
