// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.tenrec.annotations.boot.TenrecAutoConfiguration;
import dev.tenrec.core.Tenrec;
import java.io.IOException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;
import org.springframework.test.context.transaction.AfterTransaction;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** The chapter Testing of docs/how-to/spring.md, compiled as it stands, and run. */
class TestingSnippetsTest {

  static final String SKU = "1-3";

  /** A remote service. */
  interface Pricing {
    int cents(String sku) throws IOException;
  }

  static class Quotes {
    private final Pricing pricing;

    Quotes(Pricing pricing) {
      this.pricing = pricing;
    }

    @Command(fallbackMethod = "unknown", timeout = "30s")
    public String bySku(String sku) throws IOException {
      return sku + " at " + pricing.cents(sku);
    }

    String unknown(String sku) {
      return sku + " unknown";
    }
  }

  static class Orders {
    private final JdbcTemplate jdbc;

    Orders(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
    }

    @Command(timeout = "30s")
    public List<String> all() {
      return jdbc.queryForList("select sku from orders", String.class);
    }

    @Command(timeout = "30s")
    public int place(String sku) {
      return jdbc.update("insert into orders values (?)", sku);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement
  @ImportAutoConfiguration(TenrecAutoConfiguration.class)
  static class Shop {

    @Bean
    Pricing pricing() {
      return sku -> 100;
    }

    @Bean
    Quotes quotes(Pricing pricing) {
      return new Quotes(pricing);
    }

    @Bean
    EmbeddedDatabase database() {
      EmbeddedDatabase database =
          new EmbeddedDatabaseBuilder()
              .generateUniqueName(true)
              .setType(EmbeddedDatabaseType.H2)
              .build();
      new JdbcTemplate(database).execute("create table orders (sku varchar(20))");
      return database;
    }

    @Bean
    PlatformTransactionManager transactions(DataSource database) {
      return new DataSourceTransactionManager(database);
    }

    @Bean
    JdbcTemplate jdbc(DataSource database) {
      return new JdbcTemplate(database);
    }

    @Bean
    Orders orders(JdbcTemplate jdbc) {
      return new Orders(jdbc);
    }
  }

  @Nested
  @SpringJUnitConfig(Shop.class)
  class QuotesTest {
    @MockitoBean Pricing pricing;
    @Autowired Quotes quotes;
    @Autowired Tenrec tenrec;

    @Test
    void pricingFails_theFallbackAnswers() throws Exception {
      when(pricing.cents(SKU)).thenThrow(new IOException("down"));

      assertThat(quotes.bySku(SKU)).isEqualTo("1-3 unknown");
    }

    @Test
    void circuitIsOpen_pricingIsNotAsked() throws Exception {
      tenrec.set("tenrec.command.Quotes.bySku.circuitBreaker.forceOpen", "true");

      assertThat(quotes.bySku(SKU)).isEqualTo("1-3 unknown");
      verify(pricing, never()).cents(SKU);
    }

    @AfterEach
    void forget() {
      tenrec.clear("tenrec.command.Quotes.bySku.circuitBreaker.forceOpen");
      tenrec.remove("Quotes.bySku");
    }
  }

  @Nested
  @SpringJUnitConfig(Shop.class)
  class MockedQuotesTest {
    @MockitoBean Quotes quotes;

    @Test
    void mock_isStubbed() throws Exception {
      when(quotes.bySku(SKU)).thenReturn("1-3 at 5");

      assertThat(quotes.bySku(SKU)).isEqualTo("1-3 at 5");
    }
  }

  @Nested
  @SpringJUnitConfig(Shop.class)
  class SpiedQuotesTest {
    @MockitoSpyBean Quotes quotes;

    @Test
    void spy_isVerified() throws Exception {
      assertThat(quotes.bySku(SKU)).isEqualTo("1-3 at 100");

      verify(quotes).bySku(SKU);
    }
  }

  @Nested
  @SpringJUnitConfig(Shop.class)
  class FixedPriceTest {
    @TestBean Pricing pricing;
    @Autowired Quotes quotes;

    static Pricing pricing() {
      return sku -> 7;
    }

    @Test
    void testBean_isAsked() throws Exception {
      assertThat(quotes.bySku(SKU)).isEqualTo("1-3 at 7");
    }
  }

  @Nested
  @SpringJUnitConfig(Shop.class)
  @TestPropertySource(properties = "tenrec.command.default.execution.isolation.strategy=SEMAPHORE")
  @Transactional
  class OrdersTest {
    @Autowired Orders orders;
    @Autowired JdbcTemplate jdbc;

    @Test
    void command_seesWhatTheTestHasWritten() {
      jdbc.update("insert into orders values ('1-3')");

      assertThat(orders.all()).containsExactly("1-3");
    }
  }

  @Nested
  @SpringJUnitConfig(Shop.class)
  @Transactional
  class OrdersOnAPoolTest {
    @Autowired Orders orders;
    @Autowired JdbcTemplate jdbc;

    private final LoggedLines log = new LoggedLines();

    @AfterEach
    void close() {
      log.close();
    }

    @Test
    void command_onAPool_doesNotSeeIt_isNotRolledBack_andIsWarnedOf() {
      jdbc.update("insert into orders values ('1-3')");

      assertThat(orders.all()).isEmpty();
      assertThat(orders.place("2-1")).isEqualTo(1);
      assertThat(log.with("Orders.all is called within a transaction")).hasSize(1);
      assertThat(log.with("Orders.place is called within a transaction")).hasSize(1);
    }

    @AfterTransaction
    void whatTheCommandHasWritten_isStillThere() {
      assertThat(jdbc.queryForList("select sku from orders", String.class)).containsExactly("2-1");
    }
  }
}
