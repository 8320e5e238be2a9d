// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator;

import jakarta.servlet.DispatcherType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.util.ClassUtils;

/**
 * An application whose endpoints are for operators: by {@code EndpointRequest}, which the two lines
 * of Boot have in packages of their own, and the stream, which is no endpoint, by its path.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("shop.secured")
class Secured {

  static final String STREAM = "/actuator/hystrixstream";

  private static final UserDetails OPERATOR =
      User.withUsername("operator").password("{noop}right").roles("OPERATOR").build();
  private static final UserDetails CLERK =
      User.withUsername("clerk").password("{noop}right").roles("CLERK").build();

  /** The headers of a request of this user. */
  static String[] as(String user) {
    return new String[] {
      HttpHeaders.AUTHORIZATION, "Basic " + HttpHeaders.encodeBasicAuth(user, "right", null)
    };
  }

  private static <T> T endpoints(Class<T> matcher, String kind, String... ids) throws Exception {
    String boot4 = "org.springframework.boot.security.autoconfigure.actuate.web.";
    String boot3 = "org.springframework.boot.actuate.autoconfigure.security.";
    ClassLoader loader = Secured.class.getClassLoader();
    String at = ClassUtils.isPresent(boot4 + kind + ".EndpointRequest", loader) ? boot4 : boot3;
    Class<?> requests = Class.forName(at + kind + ".EndpointRequest");
    Object made =
        ids.length == 0
            ? requests.getMethod("toAnyEndpoint").invoke(null)
            : requests.getMethod("to", String[].class).invoke(null, (Object) ids);
    return matcher.cast(made);
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = Type.SERVLET)
  static class OfServlets {

    @Bean
    InMemoryUserDetailsManager users() {
      return new InMemoryUserDetailsManager(OPERATOR, CLERK);
    }

    @Bean
    SecurityFilterChain chain(HttpSecurity http) throws Exception {
      RequestMatcher health = endpoints(RequestMatcher.class, "servlet", "health");
      RequestMatcher all = endpoints(RequestMatcher.class, "servlet");
      return http.authorizeHttpRequests(
              requests ->
                  requests
                      .dispatcherTypeMatchers(
                          DispatcherType.ERROR) // or its 403 hides what was wrong
                      .permitAll()
                      .requestMatchers(health)
                      .permitAll()
                      .requestMatchers(all)
                      .hasRole("OPERATOR")
                      .requestMatchers(STREAM)
                      .hasRole("OPERATOR")
                      .anyRequest()
                      .denyAll())
          .csrf(csrf -> csrf.ignoringRequestMatchers(all)) // they take JSON only
          .httpBasic(Customizer.withDefaults())
          .build();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = Type.REACTIVE)
  static class OfWebFlux {

    @Bean
    MapReactiveUserDetailsService users() {
      return new MapReactiveUserDetailsService(OPERATOR, CLERK);
    }

    @Bean
    SecurityWebFilterChain chain(ServerHttpSecurity http) throws Exception {
      ServerWebExchangeMatcher health =
          endpoints(ServerWebExchangeMatcher.class, "reactive", "health");
      ServerWebExchangeMatcher all = endpoints(ServerWebExchangeMatcher.class, "reactive");
      return http.authorizeExchange(
              exchanges ->
                  exchanges
                      .matchers(health)
                      .permitAll()
                      .matchers(all)
                      .hasRole("OPERATOR")
                      .pathMatchers(STREAM)
                      .hasRole("OPERATOR")
                      .anyExchange()
                      .denyAll())
          .csrf(ServerHttpSecurity.CsrfSpec::disable)
          .httpBasic(Customizer.withDefaults())
          .build();
    }
  }
}
