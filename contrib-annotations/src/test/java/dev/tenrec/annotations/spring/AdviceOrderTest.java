// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.Contexts;
import dev.tenrec.annotations.internal.spring.CommandAdvisor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Where commands stand among other advice. */
class AdviceOrderTest {

  private AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

  @AfterEach
  void close() {
    context.close();
  }

  @Configuration
  @EnableTransactionManagement
  @EnableCaching
  @EnableAspectJAutoProxy
  static class Advised {

    @Bean
    Transactions transactions() {
      return new Transactions();
    }

    @Bean
    CacheManager caches() {
      return new ConcurrentMapCacheManager("stock");
    }

    @Bean
    Watching watching() {
      return new Watching();
    }

    @Bean
    Warehouse warehouse() {
      return new Warehouse();
    }
  }

  static class Transactions extends AbstractPlatformTransactionManager {

    private static final long serialVersionUID = 1L;

    final transient List<String> done = new CopyOnWriteArrayList<>();

    @Override
    protected Object doGetTransaction() {
      return new Object();
    }

    @Override
    protected void doBegin(
        Object transaction, org.springframework.transaction.TransactionDefinition definition) {
      done.add("begin on " + thread());
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
      done.add("commit on " + thread());
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
      done.add("rollback on " + thread());
    }
  }

  /** Further in than commands: has to find its call on the pool's thread. */
  @Aspect
  @Order(Ordered.LOWEST_PRECEDENCE)
  static class Watching {

    @Around("@annotation(command) && args(sku)")
    Object around(ProceedingJoinPoint point, Command command, String sku) throws Throwable {
      return point.proceed(new Object[] {sku + "+"});
    }
  }

  static class Warehouse {

    private final AtomicInteger calls = new AtomicInteger();

    int calls() {
      return calls.get();
    }

    @Command
    @Transactional
    public String inTransaction() {
      return thread()
          + (TransactionSynchronizationManager.isActualTransactionActive() ? " in one" : "");
    }

    @Command(fallbackMethod = "instead")
    @Transactional
    public String failing() {
      throw new IllegalStateException();
    }

    String instead() {
      return "instead, on " + thread();
    }

    @Command(fallbackMethod = "noStock")
    @Cacheable("stock")
    public String stock(String sku) {
      if (calls.incrementAndGet() == 1) {
        throw new IllegalStateException("down");
      }
      return sku + " left";
    }

    String noStock(String sku) {
      return "unknown";
    }
  }

  private static String thread() {
    return Thread.currentThread().getName().startsWith("tenrec-") ? "the pool" : "the caller";
  }

  @Test
  void transaction_isInside_onTheThreadOfTheWork() {
    context = Contexts.of(Advised.class);
    Warehouse warehouse = context.getBean(Warehouse.class);

    assertThat(warehouse.inTransaction()).isEqualTo("the pool in one");
    assertThat(warehouse.failing()).isEqualTo("instead, on the caller");
    assertThat(context.getBean(Transactions.class).done)
        .containsExactly(
            "begin on the pool", "commit on the pool", "begin on the pool", "rollback on the pool");
  }

  @Test
  void cache_isInside_soThatFallbacksAreNotCached() {
    context = Contexts.of(Advised.class);
    Warehouse warehouse = context.getBean(Warehouse.class);

    assertThat(warehouse.stock("a")).isEqualTo("unknown");
    assertThat(warehouse.stock("a")).isEqualTo("a+ left");
    assertThat(warehouse.stock("a")).isEqualTo("a+ left");
    assertThat(warehouse.calls()).isEqualTo(2);
  }

  @Test
  void order_canBeChanged() {
    context =
        Contexts.of(Map.of("tenrec.annotations.order", Ordered.LOWEST_PRECEDENCE), Advised.class);

    assertThat(context.getBean(CommandAdvisor.class).getOrder())
        .isEqualTo(Ordered.LOWEST_PRECEDENCE);
  }

  @Test
  void wrongOrder_stopsTheStart() {
    assertThatThrownBy(
            () -> Contexts.of(Map.of("tenrec.annotations.order", "first"), Advised.class).close())
        .rootCause()
        .hasMessageContaining("first");
  }
}
