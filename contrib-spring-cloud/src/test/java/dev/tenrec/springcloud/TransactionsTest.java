// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.view.CommandView;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.client.circuitbreaker.CircuitBreaker;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What holds for commands of annotations within transactions holds for circuit breakers. */
class TransactionsTest {

  @Configuration(proxyBeanMethods = false)
  static class Database {

    @Bean(destroyMethod = "shutdown")
    DataSource dataSource() {
      return new EmbeddedDatabaseBuilder()
          .setType(EmbeddedDatabaseType.H2)
          .generateUniqueName(true)
          .build();
    }

    @Bean
    PlatformTransactionManager transactionManager(DataSource dataSource) {
      return new DataSourceTransactionManager(dataSource);
    }
  }

  private final ApplicationContextRunner runner =
      Contexts.runner().withUserConfiguration(Database.class);

  private static JdbcTemplate orders(ConfigurableApplicationContext context) {
    JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
    jdbc.execute("create table orders (sku varchar(20))");
    return jdbc;
  }

  private static TransactionTemplate transaction(ConfigurableApplicationContext context) {
    return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
  }

  private static int count(JdbcTemplate jdbc) {
    Integer count = jdbc.queryForObject("select count(*) from orders", Integer.class);
    return count == null ? -1 : count;
  }

  @Test
  void transaction_thatEndsAfterTheTimeOut_isNotCommitted() {
    runner
        .withPropertyValues(
            "tenrec.command.orders.execution.isolation.thread.timeout-in-milliseconds=100ms",
            "tenrec.command.orders.execution.isolation.thread.interrupt-on-timeout=false")
        .run(
            context -> {
              JdbcTemplate jdbc = orders(context);
              CircuitBreaker orders =
                  context.getBean(TenrecCircuitBreakerFactory.class).create("orders");
              CountDownLatch answered = new CountDownLatch(1);

              String answer =
                  orders.run(
                      () ->
                          transaction(context)
                              .execute(
                                  status -> {
                                    jdbc.update("insert into orders values ('1-3')");
                                    await(answered);
                                    return "written";
                                  }),
                      cause -> "fallback");
              answered.countDown();

              assertThat(answer).isEqualTo("fallback");
              Awaitility.await().until(() -> running(context, "orders") == 0);
              assertThat(count(jdbc)).isZero();
            });
  }

  private static int running(ConfigurableApplicationContext context, String key) {
    return context.getBean(Tenrec.class).commands().stream()
        .filter(command -> command.key().equals(key))
        .mapToInt(CommandView::concurrency)
        .sum();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void transaction_thatEndsInTime_isCommitted() {
    runner.run(
        context -> {
          JdbcTemplate jdbc = orders(context);

          int written =
              context
                  .getBean(TenrecCircuitBreakerFactory.class)
                  .create("orders")
                  .run(
                      () ->
                          transaction(context)
                              .execute(status -> jdbc.update("insert into orders values ('1-3')")));

          assertThat(written).isEqualTo(1);
          assertThat(count(jdbc)).isEqualTo(1);
        });
  }

  @Test
  void call_withinATransactionThatThePoolLeaves_isRefusedWhereThatIsSaid() {
    runner
        .withPropertyValues("tenrec.annotations.in-transaction=refuse")
        .run(
            context -> {
              CircuitBreaker orders =
                  context.getBean(TenrecCircuitBreakerFactory.class).create("orders");

              assertThatThrownBy(
                      () ->
                          transaction(context)
                              .execute(status -> orders.<String>run(() -> "outside")))
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("orders is called within a transaction");
              assertThat(orders.<String>run(() -> "there")).isEqualTo("there");
            });
  }
}
