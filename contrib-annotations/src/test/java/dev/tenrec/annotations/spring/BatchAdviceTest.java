// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.annotations.CacheRemove;
import dev.tenrec.annotations.CacheResult;
import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandDeclarationException;
import dev.tenrec.annotations.Contexts;
import dev.tenrec.annotations.LoggedLines;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Advice on batch methods, which a collapser calls, and on fallbacks, which a command calls. */
class BatchAdviceTest {

  private AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
  private final LoggedLines log = new LoggedLines();

  @AfterEach
  void close() {
    log.close();
    context.close();
  }

  private static String where() {
    return TransactionSynchronizationManager.isActualTransactionActive() ? "inside" : "outside";
  }

  static class Batching {

    @Collapsed(batchMethod = "all", scope = Collapsed.Scope.GLOBAL)
    public Future<String> one(String sku) {
      throw new AssertionError("never runs: " + sku);
    }

    @Command(timeout = "10m")
    @Transactional
    public List<String> all(List<String> skus) {
      return skus.stream().map(sku -> sku + " " + where()).toList();
    }

    @Collapsed(batchMethod = "plainly", scope = Collapsed.Scope.GLOBAL)
    public Future<String> plain(String sku) {
      throw new AssertionError("never runs: " + sku);
    }

    @Transactional
    public List<String> plainly(List<String> skus) {
      return all(skus);
    }

    @Collapsed(batchMethod = "allLater", scope = Collapsed.Scope.GLOBAL)
    public CompletableFuture<String> later(String sku) {
      throw new AssertionError("never runs: " + sku);
    }

    @Command(timeout = "10m")
    @Transactional
    public CompletableFuture<Map<String, String>> allLater(List<String> skus) {
      return CompletableFuture.completedFuture(Map.of(skus.get(0), where()));
    }

    @Collapsed(batchMethod = "hidden", scope = Collapsed.Scope.GLOBAL)
    public Future<String> inside(String sku) {
      throw new AssertionError("never runs: " + sku);
    }

    private List<String> hidden(List<String> skus) {
      return all(skus);
    }

    @Collapsed(batchMethod = "closed", scope = Collapsed.Scope.GLOBAL)
    public Future<String> last(String sku) {
      throw new AssertionError("never runs: " + sku);
    }

    protected final List<String> closed(List<String> skus) {
      return all(skus);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement
  static class Database {

    @Bean
    DataSource database() {
      return new EmbeddedDatabaseBuilder()
          .generateUniqueName(true)
          .setType(EmbeddedDatabaseType.H2)
          .build();
    }

    @Bean
    DataSourceTransactionManager transactions(DataSource database) {
      return new DataSourceTransactionManager(database);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Batches extends Database {

    @Bean
    Batching batching() {
      return new Batching();
    }
  }

  private static <T> T got(Future<T> answer) throws Exception {
    return answer.get(PatientWaits.seconds(), TimeUnit.SECONDS);
  }

  @Test
  void batch_isCalledWithItsAdvice_andIsOneCommand() throws Exception {
    context = Contexts.of(Batches.class);
    Batching batching = context.getBean(Batching.class);

    assertThat(got(batching.one("a"))).isEqualTo("a inside");
    assertThat(got(batching.plain("a"))).isEqualTo("a inside");
    assertThat(got(batching.later("a"))).isEqualTo("inside");
    assertThat(successes("Batching.all")).isOne();
    assertThat(successes("Batching.allLater")).isOne();
  }

  @Test
  void batch_thatNoProxyHas_isCalledOnTheBean() throws Exception {
    context = Contexts.of(Batches.class);
    Batching batching = context.getBean(Batching.class);

    assertThat(got(batching.inside("a"))).isEqualTo("a outside");
    assertThat(got(batching.last("a"))).isEqualTo("a outside");
  }

  @Test
  void directCallOfABatch_isACommand() {
    context = Contexts.of(Batches.class);

    assertThat(context.getBean(Batching.class).all(List.of("a"))).containsExactly("a inside");
    // a caller may have gone on without a thread that is held up before it counts
    await().untilAsserted(() -> assertThat(successes("Batching.all")).isOne());
  }

  private long successes(String key) {
    return context.getBean(Tenrec.class).commands().stream()
        .filter(command -> command.key().equals(key))
        .mapToLong(command -> command.cumulativeCount(EventType.SUCCESS))
        .sum();
  }

  interface Asked {
    Future<String> one(String sku);
  }

  static class Unseen implements Asked {

    @Override
    @Collapsed(batchMethod = "all", scope = Collapsed.Scope.GLOBAL)
    public Future<String> one(String sku) {
      throw new AssertionError("never runs: " + sku);
    }

    @Transactional
    public List<String> all(List<String> skus) {
      return skus;
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OfInterfaces extends Database {

    @Bean
    Unseen unseen() {
      return new Unseen();
    }
  }

  @Test
  void batchWithAdvice_thatNoProxyHas_stopsTheStart() {
    assertThatThrownBy(() -> Contexts.of(OfInterfaces.class))
        .isInstanceOf(CommandDeclarationException.class)
        .hasMessageContaining("Unseen.all(List)")
        .hasMessageContaining("a batch method with advice");
  }

  static class Failing {

    @Command(timeout = "10m", fallbackMethod = "instead")
    public String ask() {
      throw new IllegalStateException("down");
    }

    @Transactional
    public String instead() {
      return where();
    }

    @Command(timeout = "10m", fallbackMethod = "asCommand")
    public String askOther() {
      throw new IllegalStateException("down");
    }

    @Command(timeout = "10m")
    @Transactional
    public String asCommand() {
      return where();
    }

    @Command(timeout = "10m", fallbackMethod = "bare")
    public String askThird() {
      throw new IllegalStateException("down");
    }

    String bare() {
      return where();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Fallbacks extends Database {

    @Bean
    Failing failing() {
      return new Failing();
    }
  }

  @Test
  void fallbackWithAdvice_isWarnedOfAtTheStart_unlessItIsACommand() {
    context = Contexts.of(Fallbacks.class);

    assertThat(log.with("without its advice"))
        .singleElement()
        .asString()
        .startsWith("WARN ")
        .contains("Failing.instead()");
    assertThat(context.getBean(Failing.class).ask()).isEqualTo("outside");
    assertThat(context.getBean(Failing.class).askOther()).isEqualTo("inside");
  }

  abstract static class Forgetting {
    @CacheRemove(commandKey = "get")
    public abstract String asAbove(String id);
  }

  static class Removing extends Forgetting {

    @Command(timeout = "10m")
    @CacheResult
    public String get(String id) {
      return id;
    }

    @Command(timeout = "10m", fallbackMethod = "instead")
    public String change(String id) {
      throw new IllegalStateException("down");
    }

    @CacheRemove(commandKey = "get")
    public String instead(String id) {
      return id;
    }

    @Command(timeout = "10m", fallbackMethod = "asCommand")
    public String changeOther(String id) {
      throw new IllegalStateException("down");
    }

    @Command(timeout = "10m")
    @CacheRemove(commandKey = "get")
    public String asCommand(String id) {
      return id;
    }

    @Command(timeout = "10m", fallbackMethod = "asAbove")
    public String changeThird(String id) {
      throw new IllegalStateException("down");
    }

    @Override
    public String asAbove(String id) {
      return id;
    }

    @Collapsed(batchMethod = "all", scope = Collapsed.Scope.GLOBAL)
    public String one(String id) {
      throw new AssertionError("never runs: " + id);
    }

    @Command(timeout = "10m", fallbackMethod = "noneOfAll")
    List<String> all(List<String> ids) {
      throw new IllegalStateException("down");
    }

    @CacheRemove(commandKey = "get", cacheKeyMethod = "first")
    public List<String> noneOfAll(List<String> ids) {
      return ids;
    }

    String first(List<String> ids) {
      return ids.get(0);
    }
  }

  @Test
  void fallbackThatRemoves_isWarnedOfAtTheStart_unlessItIsACommand() {
    context = Contexts.of(Removing.class);

    assertThat(log.with("without its advice, @CacheRemove:"))
        .hasSize(3)
        .allMatch(line -> line.startsWith("WARN "))
        .anyMatch(line -> line.contains("Removing.instead(String)"))
        .anyMatch(line -> line.contains("Removing.asAbove(String)"))
        .anyMatch(line -> line.contains("Removing.noneOfAll(List)"));
    assertThat(log.with("without its advice")).hasSize(3);
  }
}
