// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop.shop;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** Shelves are for all; what only some may do, its method says. */
@Configuration(proxyBeanMethods = false)
@EnableMethodSecurity
class Access {

  /** Nobody logs in here yet; without it, Boot would make up a user. */
  @Bean
  static UserDetailsService users() {
    return new InMemoryUserDetailsManager();
  }

  @Bean
  @ConditionalOnWebApplication
  static SecurityFilterChain everyPage(HttpSecurity http) throws Exception {
    return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll()).build();
  }
}
