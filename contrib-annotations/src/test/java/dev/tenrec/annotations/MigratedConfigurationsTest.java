// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.work.CommandDefinition;
import dev.tenrec.metrics.view.PoolView;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * Configurations of an application that used Hystrix, with other names of annotations only: four
 * steps of tuning one endpoint, and the snippets of docs/migration.md.
 */
class MigratedConfigurationsTest {

  private AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

  private static final String FORCE_OPEN = "tenrec.command.%s.page.circuitBreaker.forceOpen";

  @AfterEach
  void close() {
    context.close();
  }

  static class Page {

    String busy(String user) {
      return "busy";
    }
  }

  static class FirstGuess extends Page {

    @Command(
        fallbackMethod = "busy",
        commandProperties = {
          @CommandProperty(name = "execution.timeout.enabled", value = "false"),
          @CommandProperty(name = "circuitBreaker.errorThresholdPercentage", value = "20"),
          @CommandProperty(name = "circuitBreaker.requestVolumeThreshold", value = "40"),
          @CommandProperty(name = "circuitBreaker.sleepWindowInMilliseconds", value = "8000"),
          @CommandProperty(
              name = "fallback.isolation.semaphore.maxConcurrentRequests",
              value = "100")
        },
        threadPoolProperties = {
          @CommandProperty(name = "coreSize", value = "20"),
          @CommandProperty(name = "maximumSize", value = "300"),
          @CommandProperty(name = "allowMaximumSizeToDivergeFromCoreSize", value = "true"),
          @CommandProperty(name = "maxQueueSize", value = "200"),
          @CommandProperty(name = "queueSizeRejectionThreshold", value = "200")
        })
    public String page(String user) {
      return "page of " + user;
    }
  }

  static class ByTheRules extends Page {

    @Command(
        fallbackMethod = "busy",
        commandProperties = {
          @CommandProperty(name = "execution.timeout.enabled", value = "true"),
          @CommandProperty(
              name = "execution.isolation.thread.timeoutInMilliseconds",
              value = "700"),
          @CommandProperty(name = "circuitBreaker.errorThresholdPercentage", value = "10"),
          @CommandProperty(name = "circuitBreaker.requestVolumeThreshold", value = "20"),
          @CommandProperty(name = "circuitBreaker.sleepWindowInMilliseconds", value = "5000"),
          @CommandProperty(
              name = "fallback.isolation.semaphore.maxConcurrentRequests",
              value = "25")
        },
        threadPoolProperties = {
          @CommandProperty(name = "coreSize", value = "200"),
          @CommandProperty(name = "maximumSize", value = "250"),
          @CommandProperty(name = "allowMaximumSizeToDivergeFromCoreSize", value = "true"),
          @CommandProperty(name = "maxQueueSize", value = "200"),
          @CommandProperty(name = "queueSizeRejectionThreshold", value = "200")
        })
    public String page(String user) {
      return "page of " + user;
    }
  }

  static class LongerQueue extends Page {

    @Command(
        fallbackMethod = "busy",
        commandProperties = {
          @CommandProperty(name = "execution.timeout.enabled", value = "true"),
          @CommandProperty(
              name = "execution.isolation.thread.timeoutInMilliseconds",
              value = "700"),
          @CommandProperty(name = "circuitBreaker.errorThresholdPercentage", value = "10"),
          @CommandProperty(name = "circuitBreaker.requestVolumeThreshold", value = "20"),
          @CommandProperty(name = "circuitBreaker.sleepWindowInMilliseconds", value = "5000"),
          @CommandProperty(
              name = "fallback.isolation.semaphore.maxConcurrentRequests",
              value = "25")
        },
        threadPoolProperties = {
          @CommandProperty(name = "coreSize", value = "200"),
          @CommandProperty(name = "maximumSize", value = "250"),
          @CommandProperty(name = "allowMaximumSizeToDivergeFromCoreSize", value = "true"),
          @CommandProperty(name = "maxQueueSize", value = "250"),
          @CommandProperty(name = "queueSizeRejectionThreshold", value = "200")
        })
    public String page(String user) {
      return "page of " + user;
    }
  }

  static class LongerTimeout extends Page {

    @Command(
        fallbackMethod = "busy",
        commandProperties = {
          @CommandProperty(name = "execution.timeout.enabled", value = "true"),
          @CommandProperty(
              name = "execution.isolation.thread.timeoutInMilliseconds",
              value = "900"),
          @CommandProperty(name = "circuitBreaker.errorThresholdPercentage", value = "10"),
          @CommandProperty(name = "circuitBreaker.requestVolumeThreshold", value = "20"),
          @CommandProperty(name = "circuitBreaker.sleepWindowInMilliseconds", value = "5000"),
          @CommandProperty(
              name = "fallback.isolation.semaphore.maxConcurrentRequests",
              value = "25")
        },
        threadPoolProperties = {
          @CommandProperty(name = "coreSize", value = "200"),
          @CommandProperty(name = "maximumSize", value = "250"),
          @CommandProperty(name = "allowMaximumSizeToDivergeFromCoreSize", value = "true"),
          @CommandProperty(name = "maxQueueSize", value = "200"),
          @CommandProperty(name = "queueSizeRejectionThreshold", value = "200")
        })
    public String page(String user) {
      return "page of " + user;
    }
  }

  static final class GetUser implements CommandDefinition<Long, String> {
    @Override
    public String run(Long id) {
      return "user " + id;
    }

    @Override
    public String fallback(Long id, Throwable cause) {
      return "nobody";
    }

    @Override
    public Object cacheKey(Long id) {
      return id;
    }
  }

  @Test
  void commandClass_becomesADefinition() {
    try (Tenrec tenrec = Contexts.patient()) {
      dev.tenrec.core.Command<Long, String> getUser =
          tenrec.command("GetUser", new GetUser()).group("Users").build();
      try (RequestContext request = tenrec.openRequest()) {
        assertThat(getUser.execute(7L)).isEqualTo("user 7");
      }
    }
  }

  private PoolView pool(Class<? extends Page> type) {
    context = Contexts.of(type);
    context
        .getBean(Tenrec.class)
        .set(
            "tenrec.command." + type.getSimpleName() + ".page.execution.timeout.enabled",
            "false"); // whatever else the machine does
    return context.getBean(Tenrec.class).pools().get(0);
  }

  @Test
  void firstGuess_runsWithWhatItSays() {
    PoolView pool = pool(FirstGuess.class);

    assertThat(context.getBean(FirstGuess.class).page("ann")).isEqualTo("page of ann");
    assertThat(pool.key()).isEqualTo("FirstGuess");
    assertThat(pool.coreSize()).isEqualTo(20);
    assertThat(pool.maximumSize()).isEqualTo(300);
    assertThat(pool.queueCapacity()).isEqualTo(200);
    context.getBean(Tenrec.class).set(FORCE_OPEN.formatted("FirstGuess"), "true");
    assertThat(context.getBean(FirstGuess.class).page("ann")).isEqualTo("busy");
    assertThat(context.getBean(Tenrec.class).refusedSettings()).isZero();
  }

  @Test
  void byTheRules_runsWithWhatItSays() {
    PoolView pool = pool(ByTheRules.class);

    assertThat(context.getBean(ByTheRules.class).page("ann")).isEqualTo("page of ann");
    assertThat(pool.key()).isEqualTo("ByTheRules");
    assertThat(pool.coreSize()).isEqualTo(200);
    assertThat(pool.maximumSize()).isEqualTo(250);
    assertThat(pool.queueCapacity()).isEqualTo(200);
    context.getBean(Tenrec.class).set(FORCE_OPEN.formatted("ByTheRules"), "true");
    assertThat(context.getBean(ByTheRules.class).page("ann")).isEqualTo("busy");
    assertThat(context.getBean(Tenrec.class).refusedSettings()).isZero();
  }

  @Test
  void longerQueue_runsWithWhatItSays() {
    PoolView pool = pool(LongerQueue.class);

    assertThat(context.getBean(LongerQueue.class).page("ann")).isEqualTo("page of ann");
    assertThat(pool.key()).isEqualTo("LongerQueue");
    assertThat(pool.coreSize()).isEqualTo(200);
    assertThat(pool.maximumSize()).isEqualTo(250);
    assertThat(pool.queueCapacity()).isEqualTo(200);
    context.getBean(Tenrec.class).set(FORCE_OPEN.formatted("LongerQueue"), "true");
    assertThat(context.getBean(LongerQueue.class).page("ann")).isEqualTo("busy");
    assertThat(context.getBean(Tenrec.class).refusedSettings()).isZero();
  }

  @Test
  void longerTimeout_runsWithWhatItSays() {
    PoolView pool = pool(LongerTimeout.class);

    assertThat(context.getBean(LongerTimeout.class).page("ann")).isEqualTo("page of ann");
    assertThat(pool.key()).isEqualTo("LongerTimeout");
    assertThat(pool.coreSize()).isEqualTo(200);
    assertThat(pool.maximumSize()).isEqualTo(250);
    assertThat(pool.queueCapacity()).isEqualTo(200);
    context.getBean(Tenrec.class).set(FORCE_OPEN.formatted("LongerTimeout"), "true");
    assertThat(context.getBean(LongerTimeout.class).page("ann")).isEqualTo("busy");
    assertThat(context.getBean(Tenrec.class).refusedSettings()).isZero();
  }

  @Test
  void everySnippet_isCompiledAsItStands() throws Exception {
    Snippets.areIn("docs/migration.md", "MigratedConfigurationsTest");
  }
}
