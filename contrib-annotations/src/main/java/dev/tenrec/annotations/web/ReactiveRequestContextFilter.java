// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.web;

import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Opens a request context for each WebFlux request, and puts it into Reactor's context, where
 * commands that return a Mono or a Flux look for it. It is not bound to threads: they serve many
 * requests. Closed when the response has ended or failed, or the client has left.
 */
public final class ReactiveRequestContextFilter implements WebFilter, Ordered {

  private final Tenrec tenrec;

  /** A filter for the requests of this Tenrec's commands. */
  public ReactiveRequestContextFilter(Tenrec tenrec) {
    this.tenrec = tenrec;
  }

  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE + 100;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    return Mono.using(
        this::open,
        context ->
            chain
                .filter(exchange)
                .contextWrite(written -> written.put(RequestContext.class, context)),
        RequestContext::close);
  }

  private RequestContext open() {
    RequestContext context = tenrec.openRequest();
    context.leave();
    return context;
  }
}
