// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandProperty;
import dev.tenrec.annotations.LoggedLines;
import dev.tenrec.annotations.PropertyNames;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

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
      if (url.isEmpty()) {
        jdbc.execute("set default_lock_timeout 600000"); // else H2 gives up after seconds
      }
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
        assertThat(latch.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
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
    private final List<WeakReference<TransactionStatus>> begun = new CopyOnWriteArrayList<>();
    private final CountDownLatch inserted = new CountDownLatch(1);
    private final CountDownLatch mayReturn = new CountDownLatch(1);

    Orders(JdbcTemplate jdbc, ManualTime time, TransactionTemplate template) {
      this.jdbc = jdbc;
      this.time = time;
      this.template = template;
    }

    private void noteEnding() {
      if (TransactionSynchronizationManager.isSynchronizationActive()) {
        TransactionSynchronizationManager.registerSynchronization(
            new TransactionSynchronization() {
              @Override
              public void afterCompletion(int status) {
                boolean unused = ended.complete(status);
              }
            });
      }
    }

    private void insert(String sku) {
      noteEnding();
      jdbc.update("insert into orders values (?)", sku);
    }

    void awaitInsert() throws InterruptedException {
      assertThat(inserted.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    }

    void goOn() {
      mayReturn.countDown();
    }

    int ending() throws Exception {
      return ended.get(PatientWaits.seconds(), TimeUnit.SECONDS);
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

    @Command(isolation = IsolationStrategy.THREAD)
    public Mono<String> awaited(String sku) {
      return Mono.just("inserted");
    }

    @Command(isolation = IsolationStrategy.THREAD)
    public Single<String> single(String sku) {
      return Single.just("inserted");
    }

    @Command(isolation = IsolationStrategy.THREAD)
    public Flux<String> streamed(String sku) {
      return Flux.just("inserted");
    }

    @Command(isolation = IsolationStrategy.THREAD)
    public Flowable<String> flowing(String sku) {
      return Flowable.just("inserted");
    }

    @Command
    public Flux<String> streamedHere(String sku) {
      return Flux.just("inserted");
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

    /** A committed transaction and one that is rolled back, each with a nested one in it. */
    @Command(timeout = "none", isolation = IsolationStrategy.SEMAPHORE)
    public String severalOf(Runnable atTheEnd) {
      TransactionTemplate nested =
          new TransactionTemplate(Objects.requireNonNull(template.getTransactionManager()));
      nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
      for (boolean fails : new boolean[] {false, true}) {
        template.executeWithoutResult(
            outer -> {
              begun.add(new WeakReference<>(outer));
              nested.executeWithoutResult(
                  inner -> {
                    begun.add(new WeakReference<>(inner));
                    if (!fails) {
                      inner.setRollbackOnly();
                    }
                  });
              if (fails) {
                outer.setRollbackOnly();
              }
            });
      }
      atTheEnd.run();
      return "several";
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

    @Command(timeout = "150ms", isolation = IsolationStrategy.SEMAPHORE)
    @Transactional(propagation = Propagation.NESTED)
    public String nested(String sku, boolean late) {
      jdbc.update("insert into orders values (?)", sku);
      if (late) {
        time.advance(Duration.ofSeconds(1));
      }
      return "inserted";
    }

    @Command(
        timeout = "150ms",
        commandProperties =
            @CommandProperty(
                name = PropertyNames.OfCommand.EXECUTION_ISOLATION_THREAD_INTERRUPT_ON_TIMEOUT,
                value = "false"))
    @Transactional
    public String rename(String sku) {
      noteEnding();
      time.advance(Duration.ofSeconds(1));
      jdbc.update("update orders set sku = 'inner' where sku = ?", sku); // waits for the caller's
      return "renamed";
    }

    boolean hasEnded() {
      return ended.isDone();
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
      return orders.inABatch(sku).get(PatientWaits.seconds(), TimeUnit.SECONDS);
    }

    @Transactional
    public String buyOfAnother(String sku) {
      jdbc.update("insert into orders values ('own')");
      return orders.lateOnTheCaller(sku);
    }

    @Transactional
    public String buyNested(String sku, boolean late) {
      jdbc.update("insert into orders values ('own')");
      try {
        return orders.nested(sku, late);
      } catch (CommandTimeoutException e) {
        return "late";
      }
    }

    @Transactional
    public String renameTwice(String sku) {
      jdbc.update("update orders set sku = 'outer' where sku = ?", sku);
      try {
        return orders.rename(sku);
      } catch (CommandTimeoutException e) {
        return orders.hasEnded() ? "late" : "late, and waits for its caller";
      }
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
  void poolsCommand_thatWantsItsCallersLock_waitsUntilTheTimeOut_andIsRolledBack()
      throws Exception {
    start(Map.of());
    context.getBean(JdbcTemplate.class).update("insert into orders values ('a')");

    assertThat(shop().renameTwice("a")).isEqualTo("late, and waits for its caller");
    assertThat(orders().ending()).isEqualTo(TransactionSynchronization.STATUS_ROLLED_BACK);
    assertThat(rows()).containsExactly("outer");
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

  private TransactionTemplate template() {
    return new TransactionTemplate(context.getBean(Transactions.class));
  }

  private void inATransaction(Runnable work) {
    template().executeWithoutResult(status -> work.run());
  }

  /** The ways to wait for what is subscribed to, each with the key of its command. */
  private Map<String, Supplier<String>> subscriptions() {
    Orders orders = orders();
    Mono<String> awaited = orders.awaited("a");
    Single<String> single = orders.single("a");
    Flux<String> streamed = orders.streamed("a");
    Flowable<String> flowing = orders.flowing("a");
    return Map.of(
        "Orders.awaited", awaited::block,
        "Orders.single", single::blockingGet,
        "Orders.streamed", streamed::blockLast,
        "Orders.flowing", flowing::blockingLast);
  }

  @Test
  void subscriptionWithinATransaction_isWarnedOfAndRefused_whereverTheMethodWasCalled() {
    start(Map.of("tenrec.annotations.in-transaction", "refuse"));

    subscriptions()
        .forEach(
            (key, waiting) ->
                inATransaction(
                    () ->
                        assertThatThrownBy(waiting::get)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining(key + " is called within a transaction")));
    inATransaction(() -> assertThat(orders().streamedHere("a").blockLast()).isEqualTo("inserted"));
    assertThat(count("Orders.streamed", EventType.FAILURE)).isZero();
  }

  @Test
  void subscriptionWithinATransaction_isWarnedOf() {
    start(Map.of());

    subscriptions()
        .forEach(
            (key, waiting) -> {
              inATransaction(() -> assertThat(waiting.get()).isEqualTo("inserted"));
              assertThat(log.with(key + " is called within a transaction")).hasSize(1);
            });
  }

  @Test
  void subscriptionOutside_ofWhatWasCalledWithinATransaction_isNotWarnedOf() {
    start(Map.of());

    Mono<String> awaited = template().execute(status -> orders().awaited("a"));
    assertThat(awaited.block()).isEqualTo("inserted");
    assertThat(log.with("within a transaction")).isEmpty();
  }

  /** What a pool's command is answered, called after a commit, by each kind of callback. */
  private List<String> afterCommit(String sku) {
    List<String> answers = new ArrayList<>();
    inATransaction(
        () ->
            TransactionSynchronizationManager.registerSynchronization(
                new TransactionSynchronization() {
                  @Override
                  public void afterCommit() {
                    answers.add(orders().onThePool(sku));
                  }

                  @Override
                  public void afterCompletion(int status) {
                    answers.add(orders().onThePool(sku));
                  }
                }));
    return answers;
  }

  @Test
  void poolsCommand_afterTheCommit_isNeitherWarnedOfNorRefused() {
    start(Map.of("tenrec.annotations.in-transaction", "refuse"));
    assertThat(afterCommit("a")).containsExactly("inserted", "inserted");
    assertThatThrownBy(() -> inATransaction(() -> orders().onThePool("b")))
        .isInstanceOf(IllegalStateException.class);
    assertThat(rows()).containsExactly("a", "a");
  }

  @Test
  void poolsCommand_afterTheCommit_isNotWarnedOf() {
    start(Map.of());
    assertThat(afterCommit("a")).containsExactly("inserted", "inserted");
    assertThat(log.with("within a transaction")).isEmpty();
  }

  @Test
  void poolsCommand_inAFurtherTransactionAfterTheCommit_isRefused() {
    start(Map.of("tenrec.annotations.in-transaction", "refuse"));
    TransactionTemplate further = template();
    further.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    List<String> answers = new ArrayList<>();

    inATransaction(
        () ->
            TransactionSynchronizationManager.registerSynchronization(
                new TransactionSynchronization() {
                  @Override
                  public void afterCommit() {
                    assertThatThrownBy(
                            () -> further.executeWithoutResult(status -> orders().onThePool("b")))
                        .isInstanceOf(IllegalStateException.class);
                    answers.add(orders().onThePool("a"));
                  }
                }));
    assertThat(answers).containsExactly("inserted");
    assertThatThrownBy(() -> inATransaction(() -> orders().onThePool("c")))
        .isInstanceOf(IllegalStateException.class);
    assertThat(rows()).containsExactly("a");
  }

  /** Its managers are in the parent of the context that has the commands. */
  @Configuration(proxyBeanMethods = false)
  static class Managers {

    @Bean
    DataSource database() {
      return new App().database();
    }

    @Bean
    Transactions transactions(DataSource database) {
      return new Transactions(database);
    }

    @Bean
    PlatformTransactionManager opaque(Transactions transactions) {
      return new Opaque(transactions);
    }
  }

  /** One that cannot be asked before it commits. */
  private record Opaque(Transactions transactions) implements PlatformTransactionManager {

    @Override
    public TransactionStatus getTransaction(TransactionDefinition definition) {
      return transactions.getTransaction(definition);
    }

    @Override
    public void commit(TransactionStatus status) {
      transactions.commit(status);
    }

    @Override
    public void rollback(TransactionStatus status) {
      transactions.rollback(status);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableCommands
  static class Below {

    @Bean
    ManualTime time() {
      return new ManualTime();
    }

    @Bean
    Tenrec tenrec(ManualTime time) {
      return Tenrec.builder().time(time, time).build();
    }

    @Bean
    Orders orders(DataSource database, ManualTime time, Transactions transactions) {
      return new Orders(new JdbcTemplate(database), time, new TransactionTemplate(transactions));
    }
  }

  @Test
  void managerOfAParentContext_isAskedBeforeItsCommits_andOneThatCannotBeIsWarnedOf()
      throws Exception {
    try (AnnotationConfigApplicationContext parent =
        new AnnotationConfigApplicationContext(Managers.class)) {
      context.setParent(parent);
      context.register(Below.class);
      context.refresh();

      assertThat(orders().lateByTemplate("a")).isEqualTo("instead");
      assertThat(orders().ending()).isEqualTo(TransactionSynchronization.STATUS_ROLLED_BACK);
      assertThat(log.with("cannot be asked before its commits"))
          .singleElement()
          .asString()
          .contains("transaction manager opaque");
    }
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
  void nestedTransaction_thatIsLate_takesTheCallersAlong() {
    start(Map.of());

    assertThatThrownBy(() -> shop().buyNested("a", true))
        .isInstanceOf(UnexpectedRollbackException.class);
    assertThat(rows()).isEmpty();
    assertThat(shop().buyNested("b", false)).isEqualTo("inserted");
    assertThat(rows()).containsExactly("b", "own");
  }

  /** A long job has one for each row, and looked through all of them at each commit. */
  @Test
  void transactionsThatHaveEnded_areNotKeptByTheirCall() {
    start(Map.of());
    Orders orders = orders();

    assertThat(
            orders.severalOf(
                () ->
                    await()
                        .atMost(PatientWaits.patience())
                        .untilAsserted(
                            () -> {
                              System.gc();
                              assertThat(begunOf(orders))
                                  .hasSize(4)
                                  .allMatch(each -> each.get() == null);
                            })))
        .isEqualTo("several");
  }

  private static List<WeakReference<TransactionStatus>> begunOf(Orders proxy) {
    Orders bean = (Orders) AopProxyUtils.getSingletonTarget(proxy);
    return Objects.requireNonNull(bean).begun;
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
