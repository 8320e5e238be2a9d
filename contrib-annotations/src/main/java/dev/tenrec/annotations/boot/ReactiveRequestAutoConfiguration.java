// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import dev.tenrec.annotations.web.ReactiveRequestContextFilter;
import dev.tenrec.core.DeadlineHeader;
import dev.tenrec.core.Tenrec;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/** A request context per WebFlux request. */
@AutoConfiguration(after = TenrecAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(
    name = {"reactor.core.publisher.Mono", "org.springframework.web.server.WebFilter"})
@ConditionalOnProperty(name = "tenrec.annotations.request-context", matchIfMissing = true)
public class ReactiveRequestAutoConfiguration {

  /** The filter. */
  @Bean
  @ConditionalOnMissingBean
  ReactiveRequestContextFilter tenrecReactiveRequestContextFilter(
      Tenrec tenrec, @Value("${tenrec.annotations.deadline-header:}") String header) {
    return new ReactiveRequestContextFilter(
        tenrec, header.isBlank() ? null : DeadlineHeader.named(header));
  }
}
