// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal.console;

import dev.tenrec.console.ConsoleAnswer;
import dev.tenrec.console.ConsolePage;
import io.reactivex.rxjava3.core.Flowable;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Answers with one part of the page: on the server's thread, which other connections wait for, but
 * for what may itself wait. That is done on Reactor's threads for it, of which there is a bounded
 * number.
 */
final class ConsoleWebHandler implements WebHandler {

  private final ConsolePage page;
  private final String name;

  ConsoleWebHandler(ConsolePage page, String name) {
    this.page = page;
    this.name = name;
  }

  @Override
  public Mono<Void> handle(ServerWebExchange exchange) {
    if (page.mayWait(name)) {
      return Mono.fromCallable(() -> answer(exchange.getRequest()))
          .subscribeOn(Schedulers.boundedElastic())
          .flatMap(answer -> write(exchange.getResponse(), answer));
    }
    return write(exchange.getResponse(), answer(exchange.getRequest()));
  }

  private ConsoleAnswer answer(ServerHttpRequest request) {
    return page.answer(
        request.getMethod().name(),
        name,
        request.getURI().getRawQuery(),
        request.getHeaders()::getFirst);
  }

  private Mono<Void> write(ServerHttpResponse response, ConsoleAnswer answer) {
    response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
    answer.headers().forEach(response.getHeaders()::set);
    if (!answer.isStream()) {
      return response.writeWith(Mono.just(response.bufferFactory().wrap(answer.body())));
    }
    Optional<Flowable<byte[]>> parts = page.open(answer);
    if (parts.isEmpty()) {
      response.setStatusCode(HttpStatus.SERVICE_UNAVAILABLE);
      return response.setComplete();
    }
    return response.writeAndFlushWith(
        Flux.from(parts.get()).map(part -> Mono.just(response.bufferFactory().wrap(part))));
  }
}
