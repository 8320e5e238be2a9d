// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.annotations.boot.TenrecCustomizer;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CommandView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.client.circuitbreaker.CircuitBreaker;
import org.springframework.cloud.client.circuitbreaker.Customizer;
import org.springframework.cloud.client.circuitbreaker.NoFallbackAvailableException;
import org.springframework.cloud.client.circuitbreaker.ReactiveCircuitBreaker;
import org.springframework.cloud.client.circuitbreaker.ReactiveCircuitBreakerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reactive circuit breakers of a started context. */
class ReactiveTenrecCircuitBreakerFactoryTest {

  private static final Duration PATIENCE = PatientWaits.patience();

  private final ApplicationContextRunner runner = Contexts.runner();

  private static ReactiveCircuitBreaker create(ConfigurableApplicationContext context, String id) {
    return context.getBean(ReactiveCircuitBreakerFactory.class).create(id);
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

  @Test
  void run_ofAMono_isAnExecutionPerSubscription() {
    runner.run(
        context -> {
          AtomicInteger asked = new AtomicInteger();
          Mono<Integer> guarded =
              create(context, "quotes").run(Mono.fromCallable(asked::incrementAndGet));

          assertThat(asked).hasValue(0);
          assertThat(guarded.block(PATIENCE)).isEqualTo(1);
          assertThat(guarded.block(PATIENCE)).isEqualTo(2);
          assertThat(count(context, "quotes", EventType.SUCCESS)).isEqualTo(2);
        });
  }

  @Test
  void run_ofAnEmptyMono_isASuccessWithoutItem() {
    runner.run(
        context -> {
          assertThat(
                  create(context, "quotes")
                      .run(Mono.empty(), cause -> Mono.just("fallback"))
                      .blockOptional(PATIENCE))
              .isEmpty();
          assertThat(count(context, "quotes", EventType.SUCCESS)).isEqualTo(1);
        });
  }

  @Test
  void run_ofWorkThatFails_goesOnWithTheFallbackOfItsCause() {
    runner.run(
        context -> {
          ReactiveCircuitBreaker quotes = create(context, "quotes");
          IllegalStateException down = new IllegalStateException("down");
          List<Throwable> causes = new ArrayList<>();

          assertThat(
                  quotes
                      .run(
                          Mono.<String>error(down),
                          cause -> {
                            causes.add(cause);
                            return Mono.just("fallback");
                          })
                      .block(PATIENCE))
              .isEqualTo("fallback");
          assertThat(
                  quotes
                      .run(
                          Flux.concat(Flux.just("one", "two"), Flux.error(down)),
                          cause -> {
                            causes.add(cause);
                            return Flux.just("three", "four");
                          })
                      .collectList()
                      .block(PATIENCE))
              .containsExactly("one", "two", "three", "four");
          assertThat(causes).containsExactly(down, down);
          assertThat(count(context, "quotes", EventType.FALLBACK_SUCCESS)).isEqualTo(2);
        });
  }

  @Test
  void run_withoutFallback_failsSayingSoWithTheReason() {
    runner.run(
        context -> {
          ReactiveCircuitBreaker quotes = create(context, "quotes");
          IllegalStateException down = new IllegalStateException("down");

          assertThatThrownBy(() -> quotes.run(Mono.error(down)).block(PATIENCE))
              .isInstanceOf(NoFallbackAvailableException.class)
              .hasCause(down);
          assertThatThrownBy(() -> quotes.run(Flux.error(down)).blockLast(PATIENCE))
              .isInstanceOf(NoFallbackAvailableException.class)
              .hasCause(down);
          assertThat(count(context, "quotes", EventType.FALLBACK_MISSING)).isEqualTo(2);
        });
  }

  @Test
  void run_withoutFallback_whereFallbacksAreOffOrMayNotRun_failsSayingSoWithTheReason() {
    runner
        .withPropertyValues(
            "tenrec.command.off.fallback.enabled=false",
            "tenrec.command.full.fallback.isolation.semaphore.max-concurrent-requests=0")
        .run(
            context -> {
              for (String id : List.of("off", "full")) {
                ReactiveCircuitBreaker quotes = create(context, id);
                IllegalStateException down = new IllegalStateException("down");

                assertThatThrownBy(() -> quotes.run(Mono.error(down)).block(PATIENCE))
                    .isInstanceOf(NoFallbackAvailableException.class)
                    .hasCause(down);
                assertThatThrownBy(() -> quotes.run(Flux.error(down)).blockLast(PATIENCE))
                    .isInstanceOf(NoFallbackAvailableException.class)
                    .hasCause(down);
                context
                    .getBean(Tenrec.class)
                    .set("tenrec.command." + id + ".circuitBreaker.forceOpen", "true");
                assertThatThrownBy(() -> quotes.run(Mono.just("there")).block(PATIENCE))
                    .isInstanceOf(NoFallbackAvailableException.class)
                    .hasCauseInstanceOf(CircuitOpenException.class);
                assertThat(count(context, id, EventType.FALLBACK_MISSING)).isEqualTo(3);
              }
            });
  }

  @Test
  void run_ofAFallbackThatMayNotRun_failsAsTheBlockingOneDoes() {
    runner
        .withPropertyValues(
            "tenrec.command.off.fallback.enabled=false",
            "tenrec.command.off-blocking.fallback.enabled=false",
            "tenrec.command.full.fallback.isolation.semaphore.max-concurrent-requests=0",
            "tenrec.command.full-blocking.fallback.isolation.semaphore.max-concurrent-requests=0")
        .run(
            context -> {
              for (String id : List.of("off", "full")) {
                IllegalStateException down = new IllegalStateException("down");
                CircuitBreaker blocking =
                    context.getBean(TenrecCircuitBreakerFactory.class).create(id + "-blocking");
                ReactiveCircuitBreaker reactive = create(context, id);

                assertThatThrownBy(
                        () ->
                            blocking.run(
                                () -> {
                                  throw down;
                                },
                                cause -> "fallback"))
                    .isSameAs(down);
                assertThatThrownBy(
                        () ->
                            reactive
                                .run(Mono.error(down), cause -> Mono.just("fallback"))
                                .block(PATIENCE))
                    .isSameAs(down);
                assertThatThrownBy(
                        () ->
                            reactive
                                .run(Flux.error(down), cause -> Flux.just("fallback"))
                                .blockLast(PATIENCE))
                    .isSameAs(down);
              }
            });
  }

  @Test
  void run_ofAFallbackThatFails_failsAsTheFallbackDid() {
    runner.run(
        context -> {
          ReactiveCircuitBreaker quotes = create(context, "quotes");
          IllegalStateException down = new IllegalStateException("down");
          IllegalArgumentException worse = new IllegalArgumentException("worse");

          assertThatThrownBy(
                  () -> quotes.run(Mono.error(down), cause -> Mono.error(worse)).block(PATIENCE))
              .isSameAs(worse);
          assertThatThrownBy(
                  () ->
                      quotes
                          .run(
                              Flux.error(down),
                              cause -> {
                                throw worse;
                              })
                          .blockLast(PATIENCE))
              .isSameAs(worse);
          assertThatThrownBy(() -> quotes.run(Mono.error(down), cause -> null).block(PATIENCE))
              .isInstanceOf(NullPointerException.class)
              .hasMessageContaining("fallback returned null");
        });
  }

  @Test
  void run_whereItIsTheCallersFault_failsAsItIs() {
    runner.run(
        context -> {
          BadRequestException fault = new BadRequestException("no such sku");
          ReactiveCircuitBreaker quotes = create(context, "quotes");

          assertThatThrownBy(
                  () ->
                      quotes.run(Mono.error(fault), cause -> Mono.just("fallback")).block(PATIENCE))
              .isSameAs(fault);
          assertThatThrownBy(() -> quotes.run(Mono.error(fault)).block(PATIENCE)).isSameAs(fault);
          assertThat(count(context, "quotes", EventType.BAD_REQUEST)).isEqualTo(2);
        });
  }

  @Test
  void run_whereItIsIgnored_failsAsItIs() {
    runner
        .withPropertyValues(
            "tenrec.command.quotes.ignore-exceptions=java.lang.UnsupportedOperationException")
        .run(
            context -> {
              UnsupportedOperationException fault = new UnsupportedOperationException("no such");
              ReactiveCircuitBreaker quotes = create(context, "quotes");

              assertThatThrownBy(
                      () ->
                          quotes
                              .run(Mono.error(fault), cause -> Mono.just("fallback"))
                              .block(PATIENCE))
                  .isSameAs(fault);
              assertThatThrownBy(() -> quotes.run(Mono.error(fault)).block(PATIENCE))
                  .isSameAs(fault);
              assertThatThrownBy(() -> quotes.run(Flux.error(fault)).blockLast(PATIENCE))
                  .isSameAs(fault);
              assertThat(count(context, "quotes", EventType.BAD_REQUEST)).isEqualTo(3);
            });
  }

  @Test
  void run_ofAnError_failsAsItIsWithoutFallback_andAsTheBlockingOneDoes() {
    runner.run(
        context -> {
          AssertionError broken = new AssertionError("broken");
          CircuitBreaker blocking =
              context.getBean(TenrecCircuitBreakerFactory.class).create("blocking");

          assertThatThrownBy(
                  () ->
                      blocking.run(
                          () -> {
                            throw broken;
                          }))
              .isSameAs(broken);
          assertThat(
                  create(context, "quotes")
                      .run(Mono.<Throwable>error(broken))
                      .onErrorResume(Mono::just)
                      .block(PATIENCE))
              .isSameAs(broken);
        });
  }

  @Test
  void close_ofTheTenrec_cancelsAStreamWithoutFallbackAndSaysSo() {
    runner.run(
        context -> {
          AtomicReference<Throwable> end = new AtomicReference<>();
          Disposable subscription =
              create(context, "quotes").run(Mono.never()).subscribe(item -> {}, end::set);

          context.getBean(Tenrec.class).close();

          Awaitility.await().untilAsserted(() -> assertThat(end.get()).isNotNull());
          assertThat(end.get()).isInstanceOf(CancellationException.class);
          assertThat(subscription.isDisposed()).isTrue();
        });
  }

  @Test
  void close_ofTheTenrec_cancelsAStreamAndDoesNotAskItsFallback_whichLaterOnesHave() {
    runner.run(
        context -> {
          AtomicReference<Throwable> end = new AtomicReference<>();
          ReactiveCircuitBreaker quotes = create(context, "quotes");
          Disposable subscription =
              quotes
                  .run(Mono.never(), cause -> Mono.just("fallback"))
                  .subscribe(
                      item -> end.set(new AssertionError("answered with " + item)), end::set);

          context.getBean(Tenrec.class).close();

          Awaitility.await().untilAsserted(() -> assertThat(end.get()).isNotNull());
          assertThat(end.get()).isInstanceOf(CancellationException.class);
          assertThat(subscription.isDisposed()).isTrue();
          assertThat(quotes.run(Mono.just("late"), cause -> Mono.just("fallback")).block(PATIENCE))
              .isEqualTo("fallback");
        });
  }

  @Test
  void run_ofWorkWithoutAnItemInTime_isCancelledAndTheFallbackGoesOn() {
    ManualTime time = new ManualTime();
    runner
        .withBean(TenrecCustomizer.class, () -> builder -> builder.time(time, time))
        .withPropertyValues(
            "tenrec.command.quotes.execution.isolation.thread.timeout-in-milliseconds=50ms")
        .run(
            context -> {
              AtomicBoolean cancelled = new AtomicBoolean();
              AtomicReference<Throwable> cause = new AtomicReference<>();

              assertThat(
                      create(context, "quotes")
                          .run(
                              Mono.<String>never()
                                  .doOnSubscribe(begun -> time.advanceMillis(60))
                                  .doOnCancel(() -> cancelled.set(true)),
                              why -> {
                                cause.set(why);
                                return Mono.just("fallback");
                              })
                          .block(PATIENCE))
                  .isEqualTo("fallback");
              assertThat(cause.get()).isInstanceOf(CommandTimeoutException.class);
              Awaitility.await().untilTrue(cancelled);
              assertThat(count(context, "quotes", EventType.TIMEOUT)).isEqualTo(1);
            });
  }

  @Test
  void cancel_ofTheSubscription_cancelsTheWorkAndIsNoFailure() {
    runner.run(
        context -> {
          AtomicBoolean cancelled = new AtomicBoolean();
          Disposable subscription =
              create(context, "quotes")
                  .run(
                      Mono.never().doOnCancel(() -> cancelled.set(true)),
                      cause -> Mono.just("fallback"))
                  .subscribe();

          subscription.dispose();

          Awaitility.await().untilTrue(cancelled);
          assertThat(count(context, "quotes", EventType.CANCELLED)).isEqualTo(1);
          assertThat(view(context, "quotes").health().errorPercentage()).isZero();
          Awaitility.await().until(() -> view(context, "quotes").concurrency() == 0);
        });
  }

  @Test
  void context_ofTheSubscriber_isThereInWorkAndFallback() {
    runner.run(
        context -> {
          ReactiveCircuitBreaker quotes = create(context, "quotes");
          Mono<String> user = Mono.deferContextual(seen -> Mono.just(seen.get("user")));

          assertThat(
                  quotes
                      .run(user.flux())
                      .contextWrite(written -> written.put("user", "ada"))
                      .blockLast(PATIENCE))
              .isEqualTo("ada");
          assertThat(
                  quotes
                      .run(Mono.<String>error(new IllegalStateException("down")), cause -> user)
                      .contextWrite(written -> written.put("user", "ada"))
                      .block(PATIENCE))
              .isEqualTo("ada");
        });
  }

  @Test
  void threadLocals_whereTheMonoIsSubscribed_areThereInTheWork() {
    runner.run(
        context -> {
          MDC.put("trace", "7");
          try {
            assertThat(
                    create(context, "quotes")
                        .run(Mono.fromCallable(() -> MDC.get("trace")))
                        .block(PATIENCE))
                .isEqualTo("7");
          } finally {
            MDC.remove("trace");
          }
        });
  }

  @Test
  void circuit_ofOneId_isThatOfItsMonosAndFluxes() {
    runner.run(
        context -> {
          ReactiveCircuitBreaker quotes = create(context, "quotes");
          context
              .getBean(Tenrec.class)
              .set("tenrec.command.quotes.circuitBreaker.forceOpen", "true");

          assertThat(
                  quotes.run(Mono.<Object>just("there"), cause -> Mono.just(cause)).block(PATIENCE))
              .isInstanceOf(CircuitOpenException.class);
          assertThat(
                  quotes
                      .run(Flux.<Object>just("there"), cause -> Flux.just(cause))
                      .blockLast(PATIENCE))
              .isInstanceOf(CircuitOpenException.class);
          assertThat(count(context, "quotes", EventType.SHORT_CIRCUITED)).isEqualTo(2);
        });
  }

  @Test
  void remove_ofItsKey_bringsItBackWithTheNextSubscription() {
    runner.run(
        context -> {
          Mono<String> guarded = create(context, "quotes").run(Mono.just("there"));
          assertThat(guarded.block(PATIENCE)).isEqualTo("there");

          assertThat(context.getBean(Tenrec.class).remove("quotes")).isTrue();

          assertThat(guarded.block(PATIENCE)).isEqualTo("there");
          assertThat(count(context, "quotes", EventType.SUCCESS)).isEqualTo(1);
        });
  }

  @Test
  void id_ofTheBlockingFactory_isRefusedWhereTheIsolationsDiffer() {
    runner.run(
        context -> {
          CircuitBreaker blocking =
              context.getBean(TenrecCircuitBreakerFactory.class).create("quotes");

          assertThatThrownBy(() -> create(context, "quotes"))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("quotes")
              .hasMessageContaining("isolation");
          assertThat(blocking.<String>run(() -> "there")).isEqualTo("there");
        });
  }

  @Configuration(proxyBeanMethods = false)
  static class OneIsolation {

    @Bean
    Customizer<TenrecCircuitBreakerFactory> blocking() {
      return factory ->
          factory.configure(
              circuit -> circuit.options(to -> to.isolation(Isolation.semaphore(20))), "quotes");
    }

    @Bean
    Customizer<ReactiveTenrecCircuitBreakerFactory> reactive() {
      return factory ->
          factory.configure(
              circuit -> circuit.options(to -> to.isolation(Isolation.semaphore(20))), "quotes");
    }
  }

  @Test
  void id_ofBothFactories_isOneCircuitWhereBothSayTheSame() {
    runner
        .withUserConfiguration(OneIsolation.class)
        .run(
            context -> {
              CircuitBreaker blocking =
                  context.getBean(TenrecCircuitBreakerFactory.class).create("quotes");

              assertThat(create(context, "quotes").run(Mono.just("mono")).block(PATIENCE))
                  .isEqualTo("mono");
              assertThat(blocking.<String>run(() -> "value")).isEqualTo("value");
              assertThat(count(context, "quotes", EventType.SUCCESS)).isEqualTo(2);
            });
  }
}
