// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** Commands in listeners of transactions' events, and events of commands' transactions. */
class TransactionalEventsTest {

  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();
  private final LoggedLines log = new LoggedLines();

  @AfterEach
  void close() {
    log.close();
    context.close();
  }

  /** An order is written. */
  record Placed(String sku) {}

  /** What writes orders. */
  static class Desk {

    private final JdbcTemplate jdbc;
    private final ApplicationEventPublisher events;
    private final ManualTime time;

    Desk(JdbcTemplate jdbc, ApplicationEventPublisher events, ManualTime time) {
      this.jdbc = jdbc;
      this.events = events;
      this.time = time;
    }

    private void write(String sku) {
      jdbc.update("insert into orders values (?)", sku);
      events.publishEvent(new Placed(sku));
    }

    @Transactional
    public void placeWithoutCommand(String sku) {
      write(sku);
    }

    @Command
    @Transactional
    public String place(String sku) {
      write(sku);
      return "placed";
    }

    @Command(timeout = "150ms", fallbackMethod = "instead")
    @Transactional
    public String placeLate(String sku) {
      write(sku);
      time.advance(Duration.ofSeconds(1));
      return "placed";
    }

    @Command
    public String placeOutsideOfTransactions(String sku) {
      write(sku);
      return "placed";
    }

    String instead(String sku) {
      return "instead";
    }
  }

  /** What remote services are asked, and how many orders there are by then. */
  static class Remote {

    private final JdbcTemplate jdbc;

    Remote(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
    }

    @Command
    public String onThePool(String sku) {
      return seen(sku);
    }

    @Command(isolation = IsolationStrategy.SEMAPHORE)
    public String onTheCaller(String sku) {
      return seen(sku);
    }

    private String seen(String sku) {
      return sku + " of " + jdbc.queryForObject("select count(*) from orders", Integer.class);
    }
  }

  /** Listens, and notes what it was answered. */
  abstract static class Notes {

    final List<String> noted = new CopyOnWriteArrayList<>();

    List<String> noted() {
      return noted;
    }
  }

  static class AfterTheEnd extends Notes {

    private final Remote remote;

    AfterTheEnd(Remote remote) {
      this.remote = remote;
    }

    @TransactionalEventListener
    public void committed(Placed placed) {
      noted.add("pool: " + remote.onThePool(placed.sku()));
      noted.add("caller: " + remote.onTheCaller(placed.sku()));
    }

    @TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
    public void rolledBack(Placed placed) {
      noted.add("rolled back: " + placed.sku()); // the call's end may interrupt this thread
    }
  }

  static class BeforeTheCommit extends Notes {

    private final Remote remote;

    BeforeTheCommit(Remote remote) {
      this.remote = remote;
    }

    @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
    public void beforeCommit(Placed placed) {
      noted.add("caller: " + remote.onTheCaller(placed.sku()));
      noted.add("pool: " + remote.onThePool(placed.sku()));
    }
  }

  static class SlowBeforeTheCommit extends Notes {

    private final ManualTime time;

    SlowBeforeTheCommit(ManualTime time) {
      this.time = time;
    }

    @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
    public void beforeCommit(Placed placed) {
      noted.add("before: " + placed.sku());
      time.advance(Duration.ofSeconds(2));
    }

    @TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
    public void completed(Placed placed) {
      noted.add("completed: " + placed.sku());
    }
  }

  /** The listener is a command itself. */
  static class Commanded extends Notes {

    private final JdbcTemplate jdbc;

    Commanded(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
    }

    @Command
    @TransactionalEventListener
    public void mail(Placed placed) {
      noted.add("mailed on " + Thread.currentThread().getName());
    }

    @Command
    @TransactionalEventListener
    public void failing(Placed placed) {
      throw new IllegalStateException("no mail");
    }

    @Command(isolation = IsolationStrategy.SEMAPHORE)
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    @TransactionalEventListener
    public void book(Placed placed) {
      jdbc.update("insert into orders values (?)", "booked " + placed.sku());
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Shop {

    @Bean
    Desk desk(JdbcTemplate jdbc, ApplicationEventPublisher events, ManualTime time) {
      return new Desk(jdbc, events, time);
    }

    @Bean
    Remote remote(JdbcTemplate jdbc) {
      return new Remote(jdbc);
    }
  }

  /** Starts the shop with this listener. */
  private Desk start(Map<String, Object> properties, Class<?> listener) {
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("test", properties));
    context.register(TransactionsTest.App.class, Shop.class, listener);
    context.refresh();
    return context.getBean(Desk.class);
  }

  private List<String> noted() {
    return context.getBean(Notes.class).noted();
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

  @ParameterizedTest
  @ValueSource(strings = {"warn", "refuse"})
  void commandsOfAListener_afterTheCommit_seeIt_andAreNeitherWarnedOfNorRefused(String rule) {
    Desk desk = start(Map.of("tenrec.annotations.in-transaction", rule), AfterTheEnd.class);

    desk.placeWithoutCommand("a");
    assertThat(desk.place("b")).isEqualTo("placed");

    assertThat(noted())
        .containsExactly("pool: a of 1", "caller: a of 1", "pool: b of 2", "caller: b of 2");
    assertThat(log.with("within a transaction")).isEmpty();
  }

  @Test
  void refusedCommit_isARollbackForItsListeners() {
    Desk desk = start(Map.of(), AfterTheEnd.class);

    assertThat(desk.placeLate("a")).isEqualTo("instead");

    Awaitility.await().until(() -> !noted().isEmpty());
    assertThat(noted()).containsExactly("rolled back: a");
    assertThat(rows()).isEmpty();
  }

  @Test
  void poolsCommandOfAListener_beforeTheCommit_isWithinTheTransaction_andWarnedOf() {
    Desk desk = start(Map.of(), BeforeTheCommit.class);

    desk.placeWithoutCommand("a");

    assertThat(noted()).containsExactly("caller: a of 1", "pool: a of 0");
    assertThat(log.with("within a transaction"))
        .singleElement()
        .asString()
        .contains("Remote.onThePool");
  }

  @Test
  void poolsCommandOfAListener_beforeTheCommit_whereItIsRefused_rollsBack() {
    Desk desk = start(Map.of("tenrec.annotations.in-transaction", "refuse"), BeforeTheCommit.class);

    assertThatThrownBy(() -> desk.placeWithoutCommand("a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Remote.onThePool is called within a transaction");

    assertThat(rows()).isEmpty();
  }

  @Test
  void listenerBeforeTheCommit_thatTakesTheTimeOfTheCall_keepsItFromBeingCommitted() {
    Desk desk = start(Map.of(), SlowBeforeTheCommit.class);

    assertThatThrownBy(() -> desk.place("a")).isInstanceOf(CommandTimeoutException.class);

    Awaitility.await().until(() -> noted().size() == 2);
    assertThat(noted()).containsExactly("before: a", "completed: a");
    assertThat(rows()).isEmpty();
  }

  @Test
  void listenerThatIsACommand_runsOnItsPool_andItsFailureIsItsOwn() {
    Desk desk = start(Map.of(), Commanded.class);

    desk.placeWithoutCommand("a");

    assertThat(noted()).singleElement().asString().startsWith("mailed on tenrec-Commanded");
    assertThat(count("Commanded.failing", EventType.FAILURE)).isEqualTo(1);
    assertThat(rows()).containsExactly("a", "booked a");
    assertThat(log.with("within a transaction")).isEmpty();
  }

  @Test
  void eventOfAPoolsCommand_withinItsCallersTransaction_isOfNoTransaction() {
    Desk desk = start(Map.of("tenrec.annotations.in-transaction", "allow"), AfterTheEnd.class);

    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
        .executeWithoutResult(status -> desk.placeOutsideOfTransactions("a"));

    assertThat(rows()).containsExactly("a");
    assertThat(noted()).isEmpty();
  }
}
