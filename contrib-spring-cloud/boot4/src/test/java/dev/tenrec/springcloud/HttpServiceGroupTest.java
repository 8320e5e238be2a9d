// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.client.circuitbreaker.httpservice.HttpServiceFallback;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.client.support.RestClientHttpServiceGroupConfigurer;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.registry.ImportHttpServices;

/** Spring 7's groups of HTTP services, which Spring Cloud puts behind a circuit breaker each. */
class HttpServiceGroupTest {

  /** A remote service. */
  public interface Reviews {
    @GetExchange("/stars")
    String stars();
  }

  /** Answers in its place. */
  public static class Unrated {
    public String stars() {
      return "unrated";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @ImportHttpServices(group = "reviews", types = Reviews.class)
  @HttpServiceFallback(value = Unrated.class, group = "reviews")
  static class Application {

    @Bean
    RestClientHttpServiceGroupConfigurer address(Environment environment) {
      return groups ->
          groups.forEachClient(
              (group, client) -> client.baseUrl(environment.getRequiredProperty("remote.url")));
    }
  }

  @Test
  void group_ofHttpServices_isACommandOfItsName() throws Exception {
    try (RemoteShop remote = new RemoteShop();
        ConfigurableApplicationContext context =
            new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                    "remote.url=" + remote.url(),
                    "spring.main.banner-mode=off",
                    "tenrec.command.reviews.execution.isolation.thread"
                        + ".timeout-in-milliseconds=60s")
                .run()) {
      Reviews reviews = context.getBean(Reviews.class);
      assertThat(reviews.stars()).isEqualTo("answer of /stars");

      remote.answer("/stars", 500);
      assertThat(reviews.stars()).isEqualTo("unrated");

      CommandView command =
          context.getBean(Tenrec.class).commands().stream()
              .filter(view -> view.key().equals("reviews"))
              .findFirst()
              .orElseThrow();
      // a caller may have gone on without a thread that is held up before it counts
      await().until(() -> command.cumulativeCount(EventType.SUCCESS) == 1);
      await().until(() -> command.cumulativeCount(EventType.FALLBACK_SUCCESS) == 1);
    }
  }
}
