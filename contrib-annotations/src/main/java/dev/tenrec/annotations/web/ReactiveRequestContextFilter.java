// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.web;

import dev.tenrec.core.DeadlineHeader;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator.Scope;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Opens a request context for each WebFlux request, and puts it into Reactor's context, where
 * commands that return a Mono or a Flux look for it. It is not bound to threads: they serve many
 * requests. Closed when the response has ended or failed, or the client has left.
 *
 * <p>One for each application: Reactor's context has one request, so of two such filters, for two
 * Tenrecs, the inner one hides what the outer one opened.
 */
public final class ReactiveRequestContextFilter implements WebFilter, Ordered {

  private final Tenrec tenrec;
  private final @Nullable DeadlineHeader header;

  /** A filter for the requests of this Tenrec's commands. */
  public ReactiveRequestContextFilter(Tenrec tenrec) {
    this(tenrec, null);
  }

  /**
   * A filter for the requests of this Tenrec's commands, which open their contexts within the
   * deadline that a request brings along.
   *
   * @param header where it is; null if no deadline is read. A value that cannot be read counts as
   *     none
   */
  public ReactiveRequestContextFilter(Tenrec tenrec, @Nullable DeadlineHeader header) {
    this.tenrec = tenrec;
    this.header = header;
  }

  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE + 100;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    return Mono.using(
        () -> open(exchange),
        context ->
            chain
                .filter(exchange)
                .contextWrite(written -> written.put(RequestContext.class, context)),
        RequestContext::close);
  }

  private RequestContext open(ServerWebExchange exchange) {
    if (header == null) {
      return open();
    }
    String value = exchange.getRequest().getHeaders().getFirst(header.name());
    try (Scope deadline = IncomingDeadline.open(tenrec, header, value)) {
      return open();
    }
  }

  private RequestContext open() {
    RequestContext context = tenrec.openRequest();
    context.leave();
    return context;
  }
}
