// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.view.CommandView;
import dev.tenrec.metrics.view.PoolView;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** What annotations say about settings, and how it ranks. */
class SettingsTest {

  private AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

  @AfterEach
  void close() {
    context.close();
  }

  private Tenrec tenrec(Class<?> bean) {
    context = Contexts.of(bean);
    return context.getBean(Tenrec.class);
  }

  private PoolView pool(String key) {
    return context.getBean(Tenrec.class).pools().stream()
        .filter(view -> view.key().equals(key))
        .findFirst()
        .orElseThrow();
  }

  private CommandView command(String key) {
    return context.getBean(Tenrec.class).commands().stream()
        .filter(view -> view.key().equals(key))
        .findFirst()
        .orElseThrow();
  }

  /** Four tunings of one endpoint, as they were written for Hystrix but for the names. */
  static class Endpoint {

    @Command(
        groupKey = "endpoint",
        commandKey = "A",
        threadPoolKey = "A",
        fallbackMethod = "busy",
        commandProperties = {
          @CommandProperty(name = "execution.timeout.enabled", value = "false"),
          @CommandProperty(
              name = "fallback.isolation.semaphore.maxConcurrentRequests",
              value = "100"),
          @CommandProperty(name = "circuitBreaker.errorThresholdPercentage", value = "20"),
          @CommandProperty(name = "circuitBreaker.requestVolumeThreshold", value = "40"),
          @CommandProperty(name = "circuitBreaker.sleepWindowInMilliseconds", value = "8000")
        },
        threadPoolProperties = {
          @CommandProperty(name = "coreSize", value = "20"),
          @CommandProperty(name = "maximumSize", value = "300"),
          @CommandProperty(name = "allowMaximumSizeToDivergeFromCoreSize", value = "true"),
          @CommandProperty(name = "maxQueueSize", value = "200"),
          @CommandProperty(name = "queueSizeRejectionThreshold", value = "200")
        })
    public String a() {
      return "a";
    }

    @Command(
        groupKey = "endpoint",
        commandKey = "B",
        threadPoolKey = "B",
        fallbackMethod = "busy",
        commandProperties = {
          @CommandProperty(name = "execution.timeout.enabled", value = "true"),
          @CommandProperty(
              name = "execution.isolation.thread.timeoutInMilliseconds",
              value = "700"),
          @CommandProperty(
              name = "fallback.isolation.semaphore.maxConcurrentRequests",
              value = "25"),
          @CommandProperty(name = "circuitBreaker.errorThresholdPercentage", value = "10"),
          @CommandProperty(name = "circuitBreaker.requestVolumeThreshold", value = "20"),
          @CommandProperty(name = "circuitBreaker.sleepWindowInMilliseconds", value = "5000")
        },
        threadPoolProperties = {
          @CommandProperty(name = "coreSize", value = "200"),
          @CommandProperty(name = "maximumSize", value = "250"),
          @CommandProperty(name = "allowMaximumSizeToDivergeFromCoreSize", value = "true"),
          @CommandProperty(name = "maxQueueSize", value = "200"),
          @CommandProperty(name = "queueSizeRejectionThreshold", value = "200")
        })
    public String b() {
      return "b";
    }

    @Command(
        groupKey = "endpoint",
        commandKey = "C",
        threadPoolKey = "C",
        fallbackMethod = "busy",
        commandProperties = {
          @CommandProperty(
              name = "execution.isolation.thread.timeoutInMilliseconds",
              value = "700"),
          @CommandProperty(name = "circuitBreaker.errorThresholdPercentage", value = "10")
        },
        threadPoolProperties = {
          @CommandProperty(name = "coreSize", value = "200"),
          @CommandProperty(name = "maximumSize", value = "250"),
          @CommandProperty(name = "allowMaximumSizeToDivergeFromCoreSize", value = "true"),
          @CommandProperty(name = "maxQueueSize", value = "250"),
          @CommandProperty(name = "queueSizeRejectionThreshold", value = "200")
        })
    public String c() {
      return "c";
    }

    @Command(
        groupKey = "endpoint",
        commandKey = "D",
        threadPoolKey = "B", // one pool may serve two commands, one of which describes it
        fallbackMethod = "busy",
        commandProperties = {
          @CommandProperty(
              name = "execution.isolation.thread.timeoutInMilliseconds",
              value = "900"),
          @CommandProperty(name = "circuitBreaker.errorThresholdPercentage", value = "10")
        })
    public String d() {
      return "d";
    }

    public String busy() {
      return "busy";
    }
  }

  @Test
  void tuningsOfHystrix_canBePastedOver() {
    Tenrec tenrec = tenrec(Endpoint.class);
    for (String key : List.of("B", "C", "D")) { // whatever else the machine does
      tenrec.set("tenrec.command." + key + ".execution.timeout.enabled", "false");
    }
    Endpoint endpoint = context.getBean(Endpoint.class);

    assertThat(endpoint.a() + endpoint.b() + endpoint.c() + endpoint.d()).isEqualTo("abcd");
    assertThat(pool("A").coreSize()).isEqualTo(20);
    assertThat(pool("A").maximumSize()).isEqualTo(300);
    assertThat(pool("B").coreSize()).isEqualTo(200);
    assertThat(pool("B").maximumSize()).isEqualTo(250);
    assertThat(command("D").group()).isEqualTo("endpoint");
  }

  static class Ranked {

    @Command(threadPoolProperties = @CommandProperty(name = "coreSize", value = "5"))
    public void call() {}
  }

  @Test
  void annotations_rankBelowTheInstancesDynamicValue_andAboveTheGlobalOne() {
    Tenrec tenrec = tenrec(Ranked.class);
    assertThat(pool("Ranked").coreSize()).isEqualTo(5);

    tenrec.set("tenrec.threadpool.default.coreSize", "7");
    assertThat(pool("Ranked").coreSize()).as("global").isEqualTo(5);
    tenrec.set("tenrec.threadpool.Ranked.coreSize", "9");
    assertThat(pool("Ranked").coreSize()).as("of the instance").isEqualTo(9);
    tenrec.clear("tenrec.threadpool.Ranked.coreSize");
    assertThat(pool("Ranked").coreSize()).as("cleared").isEqualTo(5);
  }

  @CommandDefaults(
      groupKey = "shop",
      threadPoolKey = "shop-pool",
      threadPoolProperties = {
        @CommandProperty(name = "coreSize", value = "4"),
        @CommandProperty(name = "maxQueueSize", value = "8")
      })
  static class Defaults {

    @Command
    public void first() {}

    @Command(
        groupKey = "own",
        threadPoolKey = "own-pool",
        threadPoolProperties = @CommandProperty(name = "coreSize", value = "3"))
    public void second() {}
  }

  @Test
  void methods_takeTheClasssDefaults_listsAsAWhole() {
    tenrec(Defaults.class);

    assertThat(command("Defaults.first").group()).isEqualTo("shop");
    assertThat(command("Defaults.second").group()).isEqualTo("own");
    assertThat(pool("shop-pool").coreSize()).isEqualTo(4);
    assertThat(pool("shop-pool").queueCapacity()).isEqualTo(8);
    assertThat(pool("own-pool").coreSize()).isEqualTo(3);
    assertThat(pool("own-pool").queueCapacity()).isLessThanOrEqualTo(0);
  }
}
