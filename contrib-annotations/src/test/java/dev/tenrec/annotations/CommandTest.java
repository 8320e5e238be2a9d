// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.view.CommandView;
import dev.tenrec.metrics.view.PoolView;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** One annotation on a method, from the call to its answer. */
class CommandTest {

  private AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

  @AfterEach
  void close() {
    context.close();
  }

  private <T> T bean(Class<T> type) {
    context = Contexts.of(type);
    return context.getBean(type);
  }

  private CommandView view(String key) {
    return context.getBean(Tenrec.class).commands().stream()
        .filter(view -> view.key().equals(key))
        .findFirst()
        .orElseThrow();
  }

  static class Quotes {

    @Command
    public String bySku(String sku) {
      return sku + " on " + Thread.currentThread().getName();
    }

    @Command(fallbackMethod = "unknown")
    String broken(String sku) {
      throw new IllegalStateException(sku);
    }

    private String unknown(String sku, Throwable cause) {
      return sku + " unknown, " + cause.getMessage();
    }

    @Command
    protected String checked(String sku) throws IOException {
      throw new IOException(sku);
    }

    @Command(timeout = "20ms")
    public void slow() throws InterruptedException {
      new CountDownLatch(1).await();
    }
  }

  @Test
  void method_withoutAnythingSaid_runsOnThePoolOfItsClass() {
    Quotes quotes = bean(Quotes.class);

    assertThat(quotes.bySku("a")).startsWith("a on tenrec-Quotes-");
    assertThat(view("Quotes.bySku").group()).isEqualTo("Quotes");
    assertThat(context.getBean(Tenrec.class).pools())
        .extracting(PoolView::key)
        .containsExactly("Quotes");
  }

  @Test
  void method_thatFails_isAnsweredByItsFallback() {
    assertThat(bean(Quotes.class).broken("a")).isEqualTo("a unknown, a");
  }

  @Test
  void method_thatThrowsAChecked_givesItsCallerTheOriginal() {
    Quotes quotes = bean(Quotes.class);

    assertThatThrownBy(() -> quotes.checked("gone"))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("gone")
        .hasNoCause();
  }

  @Test
  void method_thatTakesTooLong_timesOut() {
    Quotes quotes = bean(Quotes.class);

    assertThatThrownBy(quotes::slow)
        .isInstanceOf(CommandTimeoutException.class)
        .hasMessageContaining("Quotes.slow");
  }

  static class Refusing {

    @Command(
        commandProperties = @CommandProperty(name = "circuitBreaker.forceOpen", value = "true"))
    public void open() {
      throw new AssertionError("the circuit is open");
    }

    @Command(
        isolation = IsolationStrategy.SEMAPHORE,
        commandProperties =
            @CommandProperty(
                name = "execution.isolation.semaphore.maxConcurrentRequests",
                value = "0"))
    public void full() {
      throw new AssertionError("there is no permit");
    }
  }

  @Test
  void method_thatIsRefused_givesItsCallerWhatRefusedIt() {
    Refusing refusing = bean(Refusing.class);

    assertThatThrownBy(refusing::open)
        .isInstanceOf(CircuitOpenException.class)
        .hasMessageContaining("Refusing.open");
    assertThatThrownBy(refusing::full)
        .isInstanceOf(CommandRejectedException.class)
        .hasMessageContaining("Refusing.full");
  }

  static class Overloaded {

    @Command(isolation = IsolationStrategy.SEMAPHORE)
    public String byId(long id) {
      return "long";
    }

    @Command(isolation = IsolationStrategy.SEMAPHORE)
    public String byId(String id) {
      return "text on " + Thread.currentThread().getName();
    }
  }

  @Test
  void overloads_haveKeysOfTheirOwn() {
    Overloaded overloaded = bean(Overloaded.class);

    assertThat(overloaded.byId(1)).isEqualTo("long");
    assertThat(overloaded.byId("x")).isEqualTo("text on " + Thread.currentThread().getName());
    assertThat(context.getBean(Tenrec.class).commands())
        .extracting(CommandView::key)
        .containsExactlyInAnyOrder("Overloaded.byId(long)", "Overloaded.byId(String)");
  }

  static class NamedAlike {

    static class Entry {}

    @Command
    public String find(Map.Entry<String, String> entry) {
      return "of a map";
    }

    @Command
    public String find(Entry entry) {
      return "own";
    }

    @Command
    public String put(java.util.Date date) {
      return "util";
    }

    @Command
    public String put(java.sql.Date date) {
      return "sql";
    }
  }

  @Test
  void overloads_whoseParametersAreNamedAlike_haveKeysOfTheirOwn() {
    NamedAlike alike = bean(NamedAlike.class);

    assertThat(alike.find(Map.entry("a", "b"))).isEqualTo("of a map");
    assertThat(context.getBean(Tenrec.class).commands())
        .extracting(CommandView::key)
        .containsExactlyInAnyOrder(
            "NamedAlike.find(Map.Entry)",
            "NamedAlike.find(CommandTest.NamedAlike.Entry)",
            "NamedAlike.put(java.util.Date)",
            "NamedAlike.put(java.sql.Date)");
  }

  static class Placeholders {

    @Command(
        commandKey = "${shop.name}-stock",
        timeout = "${shop.timeout:30s}",
        threadPoolProperties = @CommandProperty(name = "coreSize", value = "${shop.cores}"))
    public int stock() {
      return 1;
    }
  }

  @Test
  void placeholders_areReplaced() {
    context = Contexts.of(Map.of("shop.name", "north", "shop.cores", "3"), Placeholders.class);

    assertThat(context.getBean(Placeholders.class).stock()).isEqualTo(1);
    assertThat(view("north-stock").key()).isEqualTo("north-stock");
    assertThat(context.getBean(Tenrec.class).pools())
        .extracting(PoolView::coreSize)
        .containsExactly(3);
  }
}
