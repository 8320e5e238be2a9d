// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.Contexts;
import dev.tenrec.annotations.LoggedLines;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.context.scope.refresh.RefreshScope;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;

/** Beans of scopes, which have a proxy for their names and one for each that is made. */
class ScopedBeansTest {

  private final LoggedLines log = new LoggedLines();
  private AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

  @AfterEach
  void close() {
    log.close();
    context.close();
  }

  static class Quotes {

    static final AtomicInteger MADE = new AtomicInteger();

    private final int number = MADE.incrementAndGet();

    @Command(fallbackMethod = "none", timeout = "30s")
    public String bySku(String sku) {
      if (sku.isEmpty()) {
        throw new IllegalStateException("no sku");
      }
      return sku + " of " + number;
    }

    String none(String sku) {
      return "none of " + number;
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Refreshed {

    @Bean
    static RefreshScope refreshScope() {
      return new RefreshScope();
    }

    @Bean
    @Scope(scopeName = "refresh", proxyMode = ScopedProxyMode.TARGET_CLASS)
    Quotes quotes() {
      return new Quotes();
    }
  }

  private CommandView view() {
    return context.getBean(Tenrec.class).commands().stream()
        .filter(command -> command.key().equals("Quotes.bySku"))
        .findFirst()
        .orElseThrow();
  }

  /** Soon: a caller may have gone on without a thread that is held up before it counts. */
  private void awaitCounted(EventType event, long times) {
    await().untilAsserted(() -> assertThat(view().cumulativeCount(event)).isEqualTo(times));
  }

  @Test
  void beanOfARefreshScope_isOneCommand_beforeAndAfterARefresh() {
    Quotes.MADE.set(0);
    context = Contexts.of(Refreshed.class);
    Quotes quotes = context.getBean(Quotes.class);
    assertThat(log.with("Found")).containsExactly("INFO Found 1 command in 1 bean");
    assertThat(log.with("of one class")).isEmpty();

    String before = quotes.bySku("a");
    awaitCounted(EventType.SUCCESS, 1);
    context.getBean(RefreshScope.class).refreshAll();
    String after = quotes.bySku("a");

    assertThat(after).startsWith("a of ").isNotEqualTo(before);
    assertThat(quotes.bySku("")).isEqualTo(after.replace("a of", "none of"));
    awaitCounted(EventType.SUCCESS, 2);
    assertThat(view().cumulativeCount(EventType.FALLBACK_SUCCESS)).isEqualTo(1);
  }
}
