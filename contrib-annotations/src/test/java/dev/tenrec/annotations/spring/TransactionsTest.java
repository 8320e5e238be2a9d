// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.LoggedLines;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Commands and transactions of a real database: what is rolled back, and what never begins. */
class TransactionsTest {

  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();
  private final LoggedLines log = new LoggedLines();

  @AfterEach
  void close() {
    log.close();
    context.close();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableCommands
  @EnableTransactionManagement
  static class App {

    @Bean
    ManualTime time() {
      return new ManualTime();
    }

    @Bean
    Tenrec tenrec(ManualTime time) {
      return Tenrec.builder().time(time, time).build();
    }

    /** Of this JVM, unless a system property has the URL of another. */
    @Bean
    DataSource database() {
      String url = System.getProperty("tenrec.test.jdbc", "");
      DataSource database =
          url.isEmpty()
              ? new EmbeddedDatabaseBuilder()
                  .generateUniqueName(true)
                  .setType(EmbeddedDatabaseType.H2)
                  .build()
              : new DriverManagerDataSource(url);
      JdbcTemplate jdbc = new JdbcTemplate(database);
      jdbc.execute("drop table if exists orders");
      jdbc.execute("create table orders (sku varchar(20))");
      return database;
    }

    @Bean
    JdbcTemplate jdbc(DataSource database) {
      return new JdbcTemplate(database);
    }

    @Bean
    Transactions transactions(DataSource database) {
      return new Transactions(database);
    }

    @Bean
    Orders orders(JdbcTemplate jdbc, ManualTime time, Transactions transactions) {
      return new Orders(jdbc, time, new TransactionTemplate(transactions));
    }

    @Bean
    Shop shop(Orders orders, JdbcTemplate jdbc) {
      return new Shop(orders, jdbc);
    }
  }

  /** A real manager, whose commits a test may hold up. */
  static class Transactions extends DataSourceTransactionManager {

    private static final long serialVersionUID = 1L;

    final transient AtomicReference<Runnable> atCommit = new AtomicReference<>(() -> {});

    Transactions(DataSource database) {
      super(database);
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
      atCommit.get().run();
      super.doCommit(status);
    }
  }

  /** As work that does not look at interrupts. */
  private static void awaitUninterrupted(CountDownLatch latch) {
    for (int interrupts = 0; interrupts < 10; interrupts++) {
      try {
        assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        return;
      } catch (InterruptedException e) {
        continue;
      }
    }
    throw new AssertionError("interrupted again and again");
  }

  /** What the commands do; each insert notes how its transaction ended. */
  static class Orders {

    private final JdbcTemplate jdbc;
    private final ManualTime time;
    private final TransactionTemplate template;
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();
    private final CountDownLatch inserted = new CountDownLatch(1);
    private final CountDownLatch mayReturn = new CountDownLatch(1);

    Orders(JdbcTemplate jdbc, ManualTime time, TransactionTemplate template) {
      this.jdbc = jdbc;
      this.time = time;
      this.template = template;
    }

    private void insert(String sku) {
      if (TransactionSynchronizationManager.isSynchronizationActive()) {
        TransactionSynchronizationManager.registerSynchronization(
            new TransactionSynchronization() {
              @Override
              public void afterCompletion(int status) {
                boolean unused = ended.complete(status);
              }
            });
      }
      jdbc.update("insert into orders values (?)", sku);
    }

    void awaitInsert() throws InterruptedException {
      assertThat(inserted.await(30, TimeUnit.SECONDS)).isTrue();
    }

    void goOn() {
      mayReturn.countDown();
    }

    int ending() throws Exception {
      return ended.get(30, TimeUnit.SECONDS);
    }

    @Command
    public String onThePool(String sku) {
      insert(sku);
      return "inserted";
    }

    @Command(isolation = IsolationStrategy.SEMAPHORE)
    public String onTheCaller(String sku) {
      insert(sku);
      return "inserted";
    }

    @Command
    public Future<String> later(String sku) {
      insert(sku);
      return CompletableFuture.completedFuture("inserted");
    }

    @Collapsed(batchMethod = "all", scope = Collapsed.Scope.GLOBAL)
    public Future<String> inABatch(String sku) {
      throw new AssertionError("never runs");
    }

    List<String> all(List<String> skus) {
      return skus;
    }

    @Command(timeout = "150ms")
    @Transactional
    public String inTime(String sku) {
      insert(sku);
      return "inserted";
    }

    @Command(timeout = "150ms", fallbackMethod = "instead")
    @Transactional
    public String late(String sku) {
      insert(sku);
      time.advance(Duration.ofSeconds(1));
      return "inserted";
    }

    @Command(timeout = "150ms", fallbackMethod = "instead")
    public String lateByTemplate(String sku) {
      return template.execute(
          status -> {
            insert(sku);
            time.advance(Duration.ofSeconds(1));
            return "inserted";
          });
    }

    @Command(timeout = "150ms", fallbackMethod = "instead", isolation = IsolationStrategy.SEMAPHORE)
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public String lateOnTheCaller(String sku) {
      insert(sku);
      time.advance(Duration.ofSeconds(1));
      return "inserted";
    }

    @Command(timeout = "150ms", isolation = IsolationStrategy.SEMAPHORE)
    @Transactional
    public String lateWithinTheCallers(String sku) {
      insert(sku);
      time.advance(Duration.ofSeconds(1));
      return "inserted";
    }

    @Command(timeout = "none")
    @Transactional
    public Future<String> cancelled(String sku) {
      insert(sku);
      inserted.countDown();
      awaitUninterrupted(mayReturn);
      return CompletableFuture.completedFuture("inserted");
    }

    String instead(String sku) {
      return "instead";
    }
  }

  static class Shop {

    private final Orders orders;
    private final JdbcTemplate jdbc;

    Shop(Orders orders, JdbcTemplate jdbc) {
      this.orders = orders;
      this.jdbc = jdbc;
    }

    @Transactional
    public void buyAndFail(String sku, boolean onThePool) {
      String unused = onThePool ? orders.onThePool(sku) : orders.onTheCaller(sku);
      throw new IllegalStateException("sold out");
    }

    @Transactional
    public String buyLater(String sku) throws Exception {
      return orders.later(sku).get();
    }

    @Transactional
    public String buyInABatch(String sku) throws Exception {
      return orders.inABatch(sku).get(30, TimeUnit.SECONDS);
    }

    @Transactional
    public String buyOfAnother(String sku) {
      jdbc.update("insert into orders values ('own')");
      return orders.lateOnTheCaller(sku);
    }

    @Transactional
    public String buyTogether(String sku) {
      jdbc.update("insert into orders values ('own')");
      try {
        return orders.lateWithinTheCallers(sku);
      } catch (CommandTimeoutException e) {
        return "late";
      }
    }
  }

  private void start(Map<String, Object> properties) {
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("test", properties));
    context.register(App.class);
    context.refresh();
  }

  private Orders orders() {
    return context.getBean(Orders.class);
  }

  private Shop shop() {
    return context.getBean(Shop.class);
  }

  private List<String> rows() {
    return context
        .getBean(JdbcTemplate.class)
        .queryForList("select sku from orders order by sku", String.class);
  }

  private long count(String key, EventType event) {
    return context.getBean(Tenrec.class).commands().stream()
        .filter(view -> view.key().equals(key))
        .findFirst()
        .orElseThrow()
        .cumulativeCount(event);
  }

  @Test
  void poolsCommand_withinATransaction_isOutsideOfIt_andTheLogSaysSoOnce() {
    start(Map.of());

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> shop().buyAndFail("a", true)).hasMessage("sold out");
    }

    assertThat(rows()).containsExactly("a", "a");
    assertThat(log.with("within a transaction"))
        .singleElement()
        .asString()
        .startsWith("WARN Orders.onThePool is called within a transaction, and runs on another")
        .contains("THREAD", "IsolationStrategy.SEMAPHORE", "tenrec.annotations.in-transaction");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void virtualThreadsCommand_withinATransaction_isWarnedOfAsAPools() {
    start(Map.of());
    context
        .getBean(Tenrec.class)
        .set("tenrec.command.Orders.onThePool.execution.isolation.strategy", "VIRTUAL_THREAD");

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> shop().buyAndFail("a", true)).hasMessage("sold out");
    }

    assertThat(rows()).containsExactly("a", "a");
    assertThat(log.with("within a transaction"))
        .singleElement()
        .asString()
        .contains("Orders.onThePool", "VIRTUAL_THREAD");
  }

  @Test
  void callersCommand_withinATransaction_isRolledBackWithIt() {
    start(Map.of());

    assertThatThrownBy(() -> shop().buyAndFail("a", false)).hasMessage("sold out");
    assertThat(rows()).isEmpty();
    assertThat(log.with("within a transaction")).isEmpty();
  }

  @Test
  void poolsCommand_outsideOfTransactions_isNotWarnedOf() {
    start(Map.of());

    assertThat(orders().onThePool("a")).isEqualTo("inserted");
    assertThat(log.with("within a transaction")).isEmpty();
  }

  @Test
  void refusedByASetting_callWithinATransaction_failsBeforeItIsAnExecution() throws Exception {
    start(Map.of("tenrec.annotations.in-transaction", "refuse"));

    assertThatThrownBy(() -> shop().buyAndFail("a", true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Orders.onThePool is called within a transaction");
    assertThatThrownBy(() -> shop().buyLater("a"))
        .hasRootCauseInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> shop().buyInABatch("a"))
        .hasRootCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("in a batch");
    assertThatThrownBy(() -> shop().buyAndFail("a", false)).hasMessage("sold out");
    assertThat(rows()).isEmpty();
    assertThat(count("Orders.onThePool", EventType.FAILURE)).isZero();
    assertThat(orders().onThePool("b")).isEqualTo("inserted");
  }

  @Test
  void allowedByASetting_callWithinATransaction_isNotWarnedOf() {
    start(Map.of("tenrec.annotations.in-transaction", "allow"));

    assertThatThrownBy(() -> shop().buyAndFail("a", true)).hasMessage("sold out");
    assertThat(log.with("within a transaction")).isEmpty();
  }

  @Test
  void unknownSetting_stopsTheStart_andIsNamed() {
    assertThatThrownBy(() -> start(Map.of("tenrec.annotations.in-transaction", "deny")))
        .rootCause()
        .hasMessageContaining("tenrec.annotations.in-transaction = \"deny\"")
        .hasMessageContaining("warn, refuse or allow");
  }

  @Test
  void transaction_inTime_isCommitted() throws Exception {
    start(Map.of());

    assertThat(orders().inTime("a")).isEqualTo("inserted");
    assertThat(orders().ending()).isEqualTo(TransactionSynchronization.STATUS_COMMITTED);
    assertThat(rows()).containsExactly("a");
  }

  @Test
  void transaction_ofACallPastItsDeadline_isRolledBack() throws Exception {
    start(Map.of());

    assertThat(orders().late("a")).isEqualTo("instead");
    assertThat(orders().ending()).isEqualTo(TransactionSynchronization.STATUS_ROLLED_BACK);
    assertThat(rows()).isEmpty();
  }

  @Test
  void transaction_ofATemplateInTheBody_isRolledBackAsWell() throws Exception {
    start(Map.of());

    assertThat(orders().lateByTemplate("a")).isEqualTo("instead");
    assertThat(orders().ending()).isEqualTo(TransactionSynchronization.STATUS_ROLLED_BACK);
    assertThat(rows()).isEmpty();
  }

  @Test
  void transaction_ofACancelledCall_isRolledBack() throws Exception {
    start(Map.of());
    Future<String> answer = orders().cancelled("a");
    orders().awaitInsert();

    assertThat(answer.cancel(true)).isTrue();
    orders().goOn();
    assertThat(orders().ending()).isEqualTo(TransactionSynchronization.STATUS_ROLLED_BACK);
    assertThat(rows()).isEmpty();
  }

  @Test
  void transactionOfItsOwn_onTheCallersThread_isRolledBackByTheClock_andTheCallersIsNot()
      throws Exception {
    start(Map.of());

    assertThat(shop().buyOfAnother("a")).isEqualTo("instead");
    assertThat(orders().ending()).isEqualTo(TransactionSynchronization.STATUS_ROLLED_BACK);
    assertThat(rows()).containsExactly("own");
  }

  @Test
  void transactionOfTheCaller_isTheCallersToCommit_whateverBecameOfTheCommand() {
    start(Map.of());

    assertThat(shop().buyTogether("a")).isEqualTo("late");
    assertThat(rows()).containsExactly("a", "own");
  }

  @Test
  void commitThatHasBegun_goesOn_afterTheTimeOut() throws Exception {
    start(Map.of());
    CountDownLatch answered = new CountDownLatch(1);
    ManualTime time = context.getBean(ManualTime.class);
    context
        .getBean(Transactions.class)
        .atCommit
        .set(
            () -> {
              time.advance(Duration.ofSeconds(1));
              awaitUninterrupted(answered);
            });

    assertThatThrownBy(() -> orders().inTime("a")).isInstanceOf(CommandTimeoutException.class);
    answered.countDown();
    assertThat(orders().ending()).isEqualTo(TransactionSynchronization.STATUS_COMMITTED);
    assertThat(rows()).containsExactly("a");
  }
}
