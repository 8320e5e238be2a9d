// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandProperty;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The properties of an application that used Hystrix, as they stand. */
class HystrixPrefixTest {

  private static final List<String> PROPERTIES =
      List.of(
          "tenrec.prefix=hystrix",
          "hystrix.command.default.execution.isolation.thread.timeoutInMilliseconds=20",
          "hystrix.command.getUser.execution.timeout.enabled=false",
          "hystrix.command.getUser.circuitBreaker.requestVolumeThreshold=5",
          "hystrix.command.getUser.fallback.isolation.semaphore.maxConcurrentRequests=${permits:25}",
          "hystrix.threadpool.UserService.coreSize=7",
          "hystrix.threadpool.UserService.maxQueueSize=30",
          "hystrix.threadpool.UserService.queueSizeRejectionThreshold=20",
          "hystrix.command.getAll.execution.timeout.enabled=false",
          "hystrix.collapser.getAll.maxRequestsInBatch=1",
          // what Tenrec has nothing for
          "hystrix.timer.threadpool.default.coreSize=8",
          "hystrix.stream.dashboard.intervalInMilliseconds=500",
          "hystrix.plugin.HystrixConcurrencyStrategy.implementation=shop.Strategy",
          // what is not of the prefix does not count
          "tenrec.threadpool.UserService.coreSize=9");

  @TempDir private Path directory;

  private ConfigurableApplicationContext context;
  private UserService users;

  static class UserService {

    @Command(commandKey = "getUser", timeout = "1ms")
    public String user() {
      return "ann";
    }

    @Command
    public String slow() throws InterruptedException {
      new CountDownLatch(1).await();
      return "";
    }

    @Collapsed(
        batchMethod = "all",
        properties = @CommandProperty(name = "timerDelayInMilliseconds", value = "3600000"))
    public String one(int id) {
      throw new AssertionError("never runs");
    }

    @Command(commandKey = "getAll")
    List<String> all(List<Integer> ids) {
      return ids.stream().map(id -> id + " of " + ids.size()).toList();
    }
  }

  @EnableAutoConfiguration
  @Configuration(proxyBeanMethods = false)
  static class Application {

    @Bean
    UserService users() {
      return new UserService();
    }
  }

  @BeforeEach
  void run() throws IOException {
    Files.write(directory.resolve("application.properties"), PROPERTIES);
    context =
        new SpringApplicationBuilder(Application.class)
            .web(WebApplicationType.NONE)
            .properties(
                "spring.config.location=file:" + directory + "/", "spring.main.banner-mode=off")
            .run();
    users = context.getBean(UserService.class);
  }

  @AfterEach
  void close() {
    context.close();
  }

  @Test
  void commands_haveWhatTheirPropertiesSay_overTheirAnnotations() {
    assertThat(users.user()).isEqualTo("ann");
    assertThatThrownBy(users::slow)
        .isInstanceOf(CommandTimeoutException.class)
        .hasMessageContaining("20");
    assertThat(context.getBean(Tenrec.class).refusedSettings()).isZero();
  }

  @Test
  void pools_haveWhatTheirPropertiesSay() {
    assertThat(context.getBean(Tenrec.class).pools())
        .filteredOn(pool -> pool.key().equals("UserService"))
        .singleElement()
        .satisfies(
            pool -> {
              assertThat(pool.coreSize()).isEqualTo(7);
              assertThat(pool.queueCapacity()).isEqualTo(20);
            });
  }

  @Test
  void collapsers_haveWhatTheirPropertiesSay() {
    try (RequestContext request = context.getBean(Tenrec.class).openRequest()) {
      assertThat(users.one(5)).as("at once, and not in an hour").isEqualTo("5 of 1");
    }
  }

  @Test
  void memory_hasThePrefixToo() {
    context.getBean(Tenrec.class).set("hystrix.command.getUser.circuitBreaker.forceOpen", "true");

    assertThatThrownBy(users::user).isInstanceOf(CircuitOpenException.class);
  }
}
