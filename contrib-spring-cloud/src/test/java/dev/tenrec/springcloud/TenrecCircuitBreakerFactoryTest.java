// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.tenrec.annotations.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import dev.tenrec.metrics.view.PoolView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.client.circuitbreaker.CircuitBreaker;
import org.springframework.cloud.client.circuitbreaker.CircuitBreakerFactory;
import org.springframework.cloud.client.circuitbreaker.Customizer;
import org.springframework.cloud.client.circuitbreaker.NoFallbackAvailableException;
import org.springframework.cloud.client.circuitbreaker.ReactiveCircuitBreaker;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.MapPropertySource;

/** Blocking circuit breakers of a started context. */
class TenrecCircuitBreakerFactoryTest {

  private static final String TIMEOUT = ".execution.isolation.thread.timeoutInMilliseconds";

  private final ApplicationContextRunner runner = Contexts.runner();

  private static CircuitBreakerFactory<?, ?> factory(ConfigurableApplicationContext context) {
    return context.getBean(CircuitBreakerFactory.class);
  }

  private static CommandView view(ConfigurableApplicationContext context, String key) {
    return context.getBean(Tenrec.class).commands().stream()
        .filter(command -> command.key().equals(key))
        .findFirst()
        .orElseThrow();
  }

  private static long count(ConfigurableApplicationContext context, String key, EventType event) {
    return view(context, key).cumulativeCount(event);
  }

  /** Soon: a caller may have gone on without a thread that is held up before it counts. */
  private static void awaitCounted(
      ConfigurableApplicationContext context, EventType event, long times) {
    Awaitility.await()
        .untilAsserted(() -> assertThat(count(context, "quotes", event)).isEqualTo(times));
  }

  /** As a bean would that the application declares. */
  private static ApplicationContextInitializer<ConfigurableApplicationContext> customized(
      Customizer<TenrecCircuitBreakerFactory> customizer) {
    RootBeanDefinition bean = new RootBeanDefinition();
    bean.setTargetType(
        ResolvableType.forClassWithGenerics(Customizer.class, TenrecCircuitBreakerFactory.class));
    bean.setInstanceSupplier(() -> customizer);
    return context ->
        ((BeanDefinitionRegistry) context.getBeanFactory())
            .registerBeanDefinition("customizer", bean);
  }

  /** What the fallback of work that waits for ever was given. */
  private static Throwable causeOfStuckWork(CircuitBreaker breaker) {
    CountDownLatch never = new CountDownLatch(1);
    AtomicReference<Throwable> cause = new AtomicReference<>();
    String answer =
        breaker.run(
            () -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return "late";
            },
            why -> {
              cause.set(why);
              return "fallback";
            });
    assertThat(answer).isEqualTo("fallback");
    return cause.get();
  }

  @Test
  void run_ofWorkThatAnswers_returnsItsAnswerFromAPoolOfTheId() {
    runner.run(
        context -> {
          CircuitBreaker quotes = factory(context).create("quotes");

          assertThat(quotes.run(() -> Thread.currentThread().getName())).contains("quotes");
          assertThat(quotes.<String>run(() -> null, cause -> "fallback")).isNull();
          awaitCounted(context, EventType.SUCCESS, 2);
        });
  }

  @Test
  void run_ofWorkThatFails_givesTheFallbackItsException() {
    runner.run(
        context -> {
          IllegalStateException down = new IllegalStateException("down");
          AtomicReference<Throwable> cause = new AtomicReference<>();

          String answer =
              factory(context)
                  .create("quotes")
                  .run(
                      () -> {
                        throw down;
                      },
                      why -> {
                        cause.set(why);
                        return "fallback";
                      });

          assertThat(answer).isEqualTo("fallback");
          assertThat(cause.get()).isSameAs(down);
          awaitCounted(context, EventType.FALLBACK_SUCCESS, 1);
        });
  }

  @Test
  void run_withoutFallback_throwsThatThereIsNoneWithTheReason() {
    runner.run(
        context -> {
          IllegalStateException down = new IllegalStateException("down");

          assertThatThrownBy(
                  () ->
                      factory(context)
                          .create("quotes")
                          .run(
                              () -> {
                                throw down;
                              }))
              .isInstanceOf(NoFallbackAvailableException.class)
              .hasCause(down);
          awaitCounted(context, EventType.FALLBACK_MISSING, 1);
        });
  }

  @Test
  void run_ofAFallbackThatThrows_throwsWhatTheFallbackThrew() {
    runner.run(
        context -> {
          CircuitBreaker quotes = factory(context).create("quotes");
          UncheckedIOException unavailable =
              new UncheckedIOException(new IOException("unavailable"));

          assertThatThrownBy(
                  () ->
                      quotes.run(
                          () -> {
                            throw new IllegalStateException("down");
                          },
                          cause -> {
                            throw unavailable;
                          }))
              .isSameAs(unavailable);
          awaitCounted(context, EventType.FALLBACK_FAILURE, 1);
        });
  }

  @Test
  void run_whereItIsTheCallersFault_throwsItAsItIsWithoutFallback() {
    runner
        .withPropertyValues(
            "tenrec.command.quotes.ignore-exceptions=java.lang.UnsupportedOperationException",
            "tenrec.command.quotes.ignore-if=isOdd")
        .withBean(
            "isOdd", Predicate.class, () -> why -> "odd".equals(((Throwable) why).getMessage()))
        .run(
            context -> {
              CircuitBreaker quotes = factory(context).create("quotes");

              for (RuntimeException fault :
                  new RuntimeException[] {
                    new BadRequestException("no such sku"),
                    new UnsupportedOperationException("by its class"),
                    new IllegalStateException("odd")
                  }) {
                assertThatThrownBy(
                        () ->
                            quotes.run(
                                () -> {
                                  throw fault;
                                },
                                cause -> "fallback"))
                    .isSameAs(fault);
                assertThatThrownBy(
                        () ->
                            quotes.run(
                                () -> {
                                  throw fault;
                                }))
                    .isSameAs(fault);
              }
              awaitCounted(context, EventType.BAD_REQUEST, 6);
              assertThat(count(context, "quotes", EventType.FAILURE)).isZero();
            });
  }

  @Test
  void run_ofWorkThatHangs_isTimedOutAndInterrupted() {
    runner
        .withPropertyValues(
            "tenrec.command.quotes.execution.isolation.thread.timeout-in-milliseconds=50ms")
        .run(
            context -> {
              assertThat(causeOfStuckWork(factory(context).create("quotes")))
                  .isInstanceOfSatisfying(
                      CommandTimeoutException.class,
                      late -> assertThat(late.timeout()).isEqualTo(Duration.ofMillis(50)));
              Awaitility.await().until(() -> view(context, "quotes").concurrency() == 0);
            });
  }

  @Test
  void run_afterTooManyErrors_isRefusedByTheCircuitOfItsIdOnly() {
    runner
        .withInitializer(
            customized(
                factory ->
                    factory.configureDefault(
                        id ->
                            new CircuitConfigBuilder(id)
                                .options(to -> to.errorThreshold(50, 2))
                                .build())))
        .run(
            context -> {
              CircuitBreaker quotes = factory(context).create("quotes");
              AtomicReference<Throwable> cause = new AtomicReference<>();

              Awaitility.await()
                  .until(
                      () -> {
                        Object unused =
                            quotes.run(
                                () -> {
                                  throw new IllegalStateException("down");
                                },
                                why -> {
                                  cause.set(why);
                                  return "fallback";
                                });
                        return cause.get() instanceof CircuitOpenException;
                      });

              assertThat(factory(context).create("stock").<String>run(() -> "there"))
                  .isEqualTo("there");
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class Layers {

    @Bean
    Customizer<TenrecCircuitBreakerFactory> layers() {
      return factory -> {
        factory.configureDefault(
            id ->
                new CircuitConfigBuilder(id)
                    .options(to -> to.timeout(seconds(44)).sleepWindow(seconds(40)))
                    .build());
        factory.configure(circuit -> circuit.options(to -> to.timeout(seconds(33))), "pricing");
        factory.configure(
            circuit ->
                circuit.options(
                    to ->
                        to.timeout(seconds(22))
                            .isolation(Isolation.semaphore(7))
                            .ignore(UnsupportedOperationException.class)),
            "quotes",
            "stock");
      };
    }

    private static Duration seconds(int seconds) {
      return Duration.ofSeconds(seconds);
    }
  }

  private static Map<String, String> settings(ConfigurableApplicationContext context, String key) {
    Map<String, String> settings = new java.util.TreeMap<>();
    context.getBean(Tenrec.class).resolvedSettings().effective().stream()
        .filter(setting -> setting.scope().equals("command") && setting.key().equals(key))
        .filter(setting -> setting.value() != null)
        .forEach(setting -> settings.put(setting.property(), setting.value()));
    return settings;
  }

  @Test
  void configuration_ofDefaultGroupAndId_countsTheNarrowerPropertyByProperty() {
    runner
        .withUserConfiguration(Layers.class)
        .run(
            context -> {
              CircuitBreaker other = factory(context).create("other");
              CircuitBreaker grouped = factory(context).create("grouped", "pricing");
              CircuitBreaker quotes = factory(context).create("quotes", "pricing");

              String timeout = TIMEOUT.substring(1);
              assertThat(settings(context, "other")).containsEntry(timeout, "44000");
              assertThat(settings(context, "grouped")).containsEntry(timeout, "33000");
              assertThat(settings(context, "quotes"))
                  .containsEntry(timeout, "22000")
                  .containsEntry("circuitBreaker.sleepWindowInMilliseconds", "40000")
                  .containsEntry("execution.isolation.strategy", "SEMAPHORE");
              assertThat(quotes.<String>run(() -> Thread.currentThread().getName()))
                  .isEqualTo(Thread.currentThread().getName());
              assertThat(grouped.<String>run(() -> Thread.currentThread().getName()))
                  .contains("pricing");
              assertThat(other.<String>run(() -> Thread.currentThread().getName()))
                  .contains("other");
              assertThatThrownBy(
                      () ->
                          quotes.run(
                              () -> {
                                throw new UnsupportedOperationException("ignored");
                              },
                              cause -> "fallback"))
                  .isInstanceOf(UnsupportedOperationException.class);
            });
  }

  @Test
  void group_ofTwoIds_isOnePoolAndTwoCircuits() {
    runner.run(
        context -> {
          CircuitBreaker one = factory(context).create("one", "shop");
          CircuitBreaker two = factory(context).create("two", "shop");
          Tenrec tenrec = context.getBean(Tenrec.class);
          tenrec.set("tenrec.command.one.circuitBreaker.forceOpen", "true");

          assertThat(one.run(() -> "one", cause -> "open")).isEqualTo("open");
          assertThat(two.run(() -> "two", cause -> "open")).isEqualTo("two");
          assertThat(tenrec.pools()).extracting(PoolView::key).containsExactly("shop");
          assertThat(view(context, "two").group()).isEqualTo("shop");
        });
  }

  @Test
  void create_again_returnsTheOneThereIs() {
    runner.run(
        context ->
            assertThat(factory(context).create("quotes"))
                .isSameAs(factory(context).create("quotes", "elsewhere")));
  }

  @Test
  void create_ofOneIdInTwoGroupsAtOnce_givesBothTheOneThatWasFirst() {
    runner.run(
        context -> {
          TenrecCircuitBreakerFactory factory = context.getBean(TenrecCircuitBreakerFactory.class);
          Asked asked = new Asked();
          factory.configureDefault(asked::first);

          FutureTask<CircuitBreaker> late = started(() -> factory.create("quotes", "late"));
          asked.await();
          CircuitBreaker first = factory.create("quotes", "first");
          asked.goOn();

          assertThat(late.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isSameAs(first);
          assertThat(view(context, "quotes").group()).isEqualTo("first");
        });
  }

  @Test
  void create_ofOneReactiveIdInTwoGroupsAtOnce_givesBothTheOneThatWasFirst() {
    runner.run(
        context -> {
          ReactiveTenrecCircuitBreakerFactory factory =
              context.getBean(ReactiveTenrecCircuitBreakerFactory.class);
          Asked asked = new Asked();
          factory.configureDefault(asked::first);

          FutureTask<ReactiveCircuitBreaker> late = started(() -> factory.create("quotes", "late"));
          asked.await();
          ReactiveCircuitBreaker first = factory.create("quotes", "first");
          asked.goOn();

          assertThat(late.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isSameAs(first);
          assertThat(view(context, "quotes").group()).isEqualTo("first");
        });
  }

  /** Says nothing of any id, and of the first that it is asked for not before it may go on. */
  private static final class Asked {

    private final AtomicBoolean before = new AtomicBoolean();
    private final CountDownLatch first = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    CircuitConfig first(String id) {
      if (before.compareAndSet(false, true)) {
        first.countDown();
        await(goOn);
      }
      return new CircuitConfigBuilder(id).build();
    }

    void await() {
      await(first);
    }

    void goOn() {
      goOn.countDown();
    }

    private static void await(CountDownLatch latch) {
      try {
        assertThat(latch.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static <T> FutureTask<T> started(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task, "creating");
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  @Test
  void ids_thatComeAndGo_areNotKept() {
    runner.run(
        context -> {
          List<WeakReference<CircuitBreaker>> gone = new ArrayList<>();
          CircuitBreaker held = factory(context).create("held", "group");
          assertThat(context.getBean(Tenrec.class).remove("held")).isTrue();

          for (int i = 0; i < 200; i++) {
            gone.add(new WeakReference<>(factory(context).create("passing" + i)));
            assertThat(context.getBean(Tenrec.class).remove("passing" + i)).isTrue();
          }

          Awaitility.await()
              .untilAsserted(
                  () -> {
                    System.gc();
                    assertThat(gone.subList(0, 50))
                        .filteredOn(each -> each.get() != null)
                        .isEmpty();
                  });
          assertThat(factory(context).create("held")).isSameAs(held);
          assertThat(held.<String>run(() -> "there")).isEqualTo("there");
          assertThat(view(context, "held").group()).isEqualTo("group");
        });
  }

  @Test
  void property_ofTheEnvironment_countsOverCode_andMemoryOverIt() {
    runner
        .withUserConfiguration(Layers.class)
        .withPropertyValues("tenrec.command.quotes" + TIMEOUT + "=60")
        .run(
            context -> {
              CircuitBreaker quotes = factory(context).create("quotes");
              assertThat(settings(context, "quotes")).containsEntry(TIMEOUT.substring(1), "60");

              context
                  .getBean(Tenrec.class)
                  .set("tenrec.command.quotes.circuitBreaker.forceOpen", "true");

              assertThat(quotes.<Throwable>run(IllegalStateException::new, cause -> cause))
                  .isInstanceOf(CircuitOpenException.class);
            });
  }

  @Test
  void refreshOfSpringCloud_whileItRuns_reachesTheCircuitBreaker() {
    runner.run(
        context -> {
          CircuitBreaker quotes = factory(context).create("quotes");
          assertThat(quotes.run(() -> "there", cause -> "open")).isEqualTo("there");

          context
              .getEnvironment()
              .getPropertySources()
              .addFirst(
                  new MapPropertySource(
                      "config server",
                      Map.of("tenrec.command.quotes.circuit-breaker.force-open", "true")));
          context.publishEvent(
              new EnvironmentChangeEvent(
                  context, java.util.Set.of("tenrec.command.quotes.circuit-breaker.force-open")));

          assertThat(quotes.run(() -> "there", cause -> "open")).isEqualTo("open");
        });
  }

  @Test
  void remove_ofItsKey_bringsItBackWithTheNextCall() {
    runner.run(
        context -> {
          CircuitBreaker quotes = factory(context).create("quotes");
          assertThat(quotes.<String>run(() -> "one")).isEqualTo("one");

          assertThat(context.getBean(Tenrec.class).remove("quotes")).isTrue();

          assertThat(quotes.<String>run(() -> "two")).isEqualTo("two");
          awaitCounted(context, EventType.SUCCESS, 1);
        });
  }

  static class Annotated {
    @Command(commandKey = "quotes", timeout = "31s", groupKey = "quotes")
    public String quote() {
      return "annotated";
    }
  }

  @Test
  void id_thatAnAnnotationHasWithEqualSettings_isOneCommand() {
    runner
        .withBean(Annotated.class)
        .withInitializer(
            customized(
                factory ->
                    factory.configure(
                        circuit -> circuit.options(to -> to.timeout(Duration.ofSeconds(31))),
                        "quotes")))
        .run(
            context -> {
              assertThat(context.getBean(Annotated.class).quote()).isEqualTo("annotated");
              assertThat(factory(context).create("quotes").<String>run(() -> "run"))
                  .isEqualTo("run");
              awaitCounted(context, EventType.SUCCESS, 2);
            });
  }

  @Test
  void id_thatACommandHasWithOtherSettings_isRefusedWithTheReason() {
    runner
        .withBean(Annotated.class)
        .withInitializer(
            customized(
                factory ->
                    factory.configure(
                        circuit -> circuit.options(to -> to.timeout(Duration.ofSeconds(32))),
                        "quotes")))
        .run(
            context ->
                assertThatThrownBy(() -> factory(context).create("quotes"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("circuit breaker \"quotes\"")
                    .hasMessageContaining("other settings"));
  }

  @Test
  void id_thatIsBlankOrDefault_isRefused() {
    runner.run(
        context -> {
          for (String id : new String[] {"", " ", "default"}) {
            assertThatThrownBy(() -> factory(context).create(id))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key");
          }
        });
  }

  @Test
  void configure_afterItsCreation_isRefusedWithTheRemedy() {
    runner.run(
        context -> {
          TenrecCircuitBreakerFactory factory = context.getBean(TenrecCircuitBreakerFactory.class);
          CircuitBreaker quotes = factory.create("quotes");

          assertThatThrownBy(
                  () ->
                      factory.configure(
                          circuit -> circuit.options(to -> to.withoutTimeout()), "quotes"))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("Customizer")
              .hasMessageContaining("tenrec.command.quotes.");
          assertThat(quotes.<String>run(() -> "there")).isEqualTo("there");
        });
  }

  @Test
  void context_ofTheCaller_isThereInWorkAndFallback() {
    runner.run(
        context -> {
          CircuitBreaker quotes = factory(context).create("quotes");
          MDC.put("trace", "7");
          try {
            assertThat(quotes.<String>run(() -> MDC.get("trace"))).isEqualTo("7");
            assertThat(
                    quotes.<String>run(
                        () -> {
                          throw new IllegalStateException("down");
                        },
                        cause -> MDC.get("trace")))
                .isEqualTo("7");
          } finally {
            MDC.remove("trace");
          }
        });
  }

  @Test
  void interrupt_ofTheCaller_isItsEndWithoutFallback() {
    runner.run(
        context -> {
          CircuitBreaker quotes = factory(context).create("quotes");
          Thread.currentThread().interrupt();
          try {
            assertThatThrownBy(() -> causeOfStuckWork(quotes))
                .isInstanceOf(dev.tenrec.core.outcome.CommandInterruptedException.class);
          } finally {
            assertThat(Thread.interrupted()).isTrue();
          }
        });
  }

  @Test
  void close_ofTheContext_leavesNoThreadAndRejects() {
    AtomicReference<Tenrec> tenrec = new AtomicReference<>();
    AtomicReference<CircuitBreaker> left = new AtomicReference<>();
    runner.run(
        context -> {
          tenrec.set(context.getBean(Tenrec.class));
          left.set(factory(context).create("quotes"));
          assertThat(left.get().<String>run(() -> "there")).isEqualTo("there");
        });

    // close() waits half a second for the last
    Awaitility.await().until(() -> tenrec.get().liveThreads() == 0);
    assertThat(left.get().<Throwable>run(IllegalStateException::new, cause -> cause))
        .isInstanceOfSatisfying(
            CommandRejectedException.class,
            rejected ->
                assertThat(rejected.reason()).isEqualTo(CommandRejectedException.Reason.CLOSED));
  }

  @Test
  void close_ofTheTenrec_cancelsWhatRunsAndDoesNotAskItsFallback() {
    runner.run(
        context -> {
          CountDownLatch began = new CountDownLatch(2);
          List<FutureTask<String>> calls = new ArrayList<>();
          for (boolean withFallback : new boolean[] {false, true}) {
            CircuitBreaker breaker = factory(context).create("quotes" + withFallback);
            calls.add(
                started(
                    () ->
                        withFallback
                            ? breaker.run(() -> stuck(began), cause -> "fallback")
                            : breaker.run(() -> stuck(began))));
          }
          Asked.await(began);

          context.getBean(Tenrec.class).close();

          for (FutureTask<String> call : calls) {
            assertThatThrownBy(() -> call.get(PatientWaits.seconds(), TimeUnit.SECONDS))
                .hasCauseInstanceOf(CancellationException.class);
          }
        });
  }

  private static String stuck(CountDownLatch began) {
    began.countDown();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return "late";
  }

  /** Another library's. */
  static final class OtherFactory
      extends CircuitBreakerFactory<CircuitConfig, CircuitConfigBuilder> {

    @Override
    public CircuitBreaker create(String id) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected CircuitConfigBuilder configBuilder(String id) {
      return new CircuitConfigBuilder(id);
    }

    @Override
    public void configureDefault(Function<String, CircuitConfig> defaultConfiguration) {}
  }

  @Test
  void autoConfiguration_whereTheApplicationHasAFactory_leavesIt() {
    runner
        .withBean(OtherFactory.class)
        .run(context -> assertThat(context).doesNotHaveBean(TenrecCircuitBreakerFactory.class));
  }

  @Test
  void autoConfiguration_switchedOff_hasNoFactories() {
    runner
        .withPropertyValues("spring.cloud.circuitbreaker.tenrec.enabled=false")
        .run(
            context -> {
              assertThat(context).doesNotHaveBean(CircuitBreakerFactory.class);
              assertThat(context).doesNotHaveBean(ReactiveTenrecCircuitBreakerFactory.class);
            });
  }

  @Test
  void customizer_thatListens_isGivenTheFactoryBeforeItsFirstUse() {
    AtomicReference<Object> given = new AtomicReference<>();
    runner
        .withInitializer(customized(given::set))
        .run(
            context ->
                assertThat(given.get())
                    .isSameAs(context.getBean(TenrecCircuitBreakerFactory.class)));
  }

  @Test
  void property_ofAnIdThatIsNotThereYet_isNoWarning() {
    Logger logger = (Logger) LoggerFactory.getLogger("dev.tenrec.annotations");
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    logged.start();
    logger.addAppender(logged);
    logger.setLevel(Level.INFO);
    try {
      runner
          .withPropertyValues("tenrec.command.later.circuit-breaker.force-open=true")
          .run(
              context ->
                  assertThat(factory(context).create("later").run(() -> "there", cause -> "open"))
                      .isEqualTo("open"));
    } finally {
      logger.setLevel(null);
      logger.detachAppender(logged);
    }

    assertThat(logged.list)
        .filteredOn(line -> line.getFormattedMessage().contains("'later'"))
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.getLevel()).isEqualTo(Level.INFO);
              assertThat(line.getFormattedMessage()).contains("unless one comes with this key");
            });
  }
}
