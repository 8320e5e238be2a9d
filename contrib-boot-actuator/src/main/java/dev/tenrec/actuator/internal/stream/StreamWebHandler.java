// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal.stream;

import dev.tenrec.hystrix.stream.HystrixStream;
import dev.tenrec.hystrix.stream.StreamKind;
import io.reactivex.rxjava3.core.Flowable;
import java.util.Optional;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Answers with the stream, each part of which is flushed. */
final class StreamWebHandler implements WebHandler {

  private final HystrixStream stream;

  StreamWebHandler(HystrixStream stream) {
    this.stream = stream;
  }

  @Override
  public Mono<Void> handle(ServerWebExchange exchange) {
    ServerHttpResponse response = exchange.getResponse();
    if (!HttpMethod.GET.equals(exchange.getRequest().getMethod())) {
      response.getHeaders().set("Allow", "GET");
      return refuse(response, HttpStatus.METHOD_NOT_ALLOWED);
    }
    Optional<Flowable<byte[]>> parts = stream.open(StreamKind.DASHBOARD);
    if (parts.isEmpty()) {
      return refuse(response, HttpStatus.SERVICE_UNAVAILABLE);
    }
    response.getHeaders().set("Content-Type", "text/event-stream;charset=UTF-8");
    response.getHeaders().set("Cache-Control", "no-cache, no-store, max-age=0, must-revalidate");
    return response.writeAndFlushWith(
        Flux.from(parts.get()).map(part -> Mono.just(response.bufferFactory().wrap(part))));
  }

  private static Mono<Void> refuse(ServerHttpResponse response, HttpStatus status) {
    response.setStatusCode(status);
    return response.setComplete();
  }
}
