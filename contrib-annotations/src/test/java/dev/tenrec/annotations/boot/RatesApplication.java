// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import dev.tenrec.annotations.CacheResult;
import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandProperty;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** An application on WebFlux, for the tests that talk to it through its server. */
@EnableAutoConfiguration
@Configuration(proxyBeanMethods = false)
class RatesApplication {

  /** What an accessor of Micrometer's context-propagation is registered for under this name. */
  static final String USER = "test.user";

  static final ThreadLocal<String> CURRENT_USER = new ThreadLocal<>();

  @Bean
  Rates rates() {
    return new Rates();
  }

  /** As Spring Security does it: into Reactor's context, never onto a thread. */
  @Bean
  WebFilter user() {
    return (exchange, chain) -> {
      String name = exchange.getRequest().getHeaders().getFirst("User");
      return chain
          .filter(exchange)
          .contextWrite(written -> name == null ? written : written.put(USER, name));
    };
  }

  /** Outside of all filters, and before the one that would log what is meant to fail. */
  @Bean
  @Order(-2)
  WebExceptionHandler failed() {
    return (exchange, failure) -> {
      exchange.getResponse().setStatusCode(HttpStatus.BAD_GATEWAY);
      return exchange.getResponse().setComplete();
    };
  }

  /** The commands. */
  static class Rates {

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger cancelled = new AtomicInteger();
    private final Queue<RequestContext> seen = new ConcurrentLinkedQueue<>();

    /** The requests that commands have seen since the last time. */
    List<RequestContext> takeSeen() {
      List<RequestContext> taken = List.copyOf(seen);
      seen.removeAll(taken);
      return taken;
    }

    int cancelled() {
      return cancelled.get();
    }

    private Mono<RequestContext> request() {
      return Mono.deferContextual(context -> Mono.just(context.get(RequestContext.class)))
          .doOnNext(seen::add);
    }

    @Command
    @CacheResult
    public Mono<Integer> counted(String name) {
      return request()
          .publishOn(Schedulers.boundedElastic())
          .map(request -> calls.incrementAndGet());
    }

    @Command
    @CacheResult
    public int waited(String name) {
      return calls.incrementAndGet();
    }

    @Command(fallbackMethod = "late", timeout = "20ms")
    public Mono<String> slow() {
      return request().then(Mono.never());
    }

    Mono<String> late(Throwable cause) {
      String thread = CURRENT_USER.get();
      return Mono.deferContextual(
          context ->
              Mono.just(
                  "late for "
                      + context.get(USER)
                      + ", on the thread "
                      + thread
                      + ", at an open request "
                      + !context.get(RequestContext.class).isClosed()));
    }

    @Command
    public Mono<String> mine() {
      String thread = CURRENT_USER.get();
      return Mono.deferContextual(
          context -> Mono.just(context.get(USER) + ", on the thread " + thread));
    }

    @Command(fallbackMethod = "rest")
    public Flux<String> all() {
      String thread = CURRENT_USER.get();
      return request()
          .flatMapMany(
              request ->
                  Flux.just("on the thread " + thread)
                      .concatWith(Mono.error(new IOException("cut"))));
    }

    Flux<String> rest() {
      return Flux.deferContextual(
          context ->
              Flux.just(", the rest at an open one ")
                  .concatWithValues(String.valueOf(!context.get(RequestContext.class).isClosed())));
    }

    @Command
    public Mono<String> failing() {
      return request().then(Mono.error(new IOException("no rate")));
    }

    @Command(timeout = "none")
    public Mono<String> never() {
      return request().then(Mono.<String>never()).doOnCancel(cancelled::incrementAndGet);
    }

    @Command(timeout = "none")
    public Flux<String> endless() {
      return request()
          .flatMapMany(request -> Flux.just("first").concatWith(Flux.never()))
          .doOnCancel(cancelled::incrementAndGet);
    }

    @Collapsed(
        batchMethod = "upper",
        properties = {
          @CommandProperty(name = "maxRequestsInBatch", value = "2"),
          @CommandProperty(name = "timerDelayInMilliseconds", value = "60000")
        })
    public Mono<String> inUpper(String name) {
      throw new AssertionError("never runs");
    }

    List<String> upper(List<String> names) {
      return names.stream()
          .map(name -> name.toUpperCase(Locale.ROOT) + " of " + names.size())
          .collect(Collectors.toList());
    }
  }

  /** What answers the web; a bean because it is a component in a configuration. */
  @RestController
  static class RatesController {

    private final Rates rates;
    private final Tenrec tenrec;

    RatesController(Rates rates, Tenrec tenrec) {
      this.rates = rates;
      this.tenrec = tenrec;
    }

    @GetMapping("/twice")
    Mono<String> twice(@RequestParam("name") String name) {
      boolean bound = tenrec.currentRequest().isPresent();
      return rates
          .counted(name)
          .flatMap(first -> rates.counted(name).map(second -> first + " " + second + " " + bound));
    }

    @GetMapping("/waited")
    Mono<String> waited(@RequestParam("name") String name) {
      return Mono.deferContextual(
          context ->
              Mono.fromSupplier(
                      context
                          .get(RequestContext.class)
                          .wrapSupplier(() -> rates.waited(name) + " " + rates.waited(name)))
                  .subscribeOn(Schedulers.boundedElastic()));
    }

    @GetMapping("/slow")
    Mono<String> slow() {
      return rates.slow();
    }

    @GetMapping("/mine")
    Mono<String> mine() {
      return rates.mine();
    }

    @GetMapping("/all")
    Flux<String> all() {
      return rates.all();
    }

    @GetMapping("/failing")
    Mono<String> failing() {
      return rates.failing();
    }

    @GetMapping("/never")
    Mono<String> never() {
      return rates.never();
    }

    @GetMapping("/endless")
    Flux<String> endless() {
      return rates.endless();
    }

    @GetMapping("/upper")
    Mono<String> upper() {
      return Mono.zip(rates.inUpper("a"), rates.inUpper("b"))
          .map(both -> both.getT1() + ", " + both.getT2());
    }
  }
}
