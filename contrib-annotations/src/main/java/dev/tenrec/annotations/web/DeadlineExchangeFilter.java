// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.web;

import dev.tenrec.core.Deadline;
import dev.tenrec.core.DeadlineHeader;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator.Scope;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/**
 * Has the requests of a {@code WebClient} carry the time that is left until the deadline of the
 * call they are made in: that of the thread which subscribes, or, where it has none, that of the
 * request in Reactor's context. Those made without one carry nothing.
 */
public final class DeadlineExchangeFilter implements ExchangeFilterFunction {

  private final Tenrec tenrec;
  private final DeadlineHeader header;

  /**
   * A filter for requests made by this Tenrec's commands.
   *
   * @param header where the time goes
   */
  public DeadlineExchangeFilter(Tenrec tenrec, DeadlineHeader header) {
    this.tenrec = Objects.requireNonNull(tenrec, "tenrec");
    this.header = Objects.requireNonNull(header, "header");
  }

  @Override
  public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
    return Mono.deferContextual(
        context -> {
          RequestContext at = context.getOrDefault(RequestContext.class, null);
          return next.exchange(
              deadline(at)
                  .map(Deadline::remaining)
                  .map(
                      left ->
                          ClientRequest.from(request)
                              .headers(headers -> headers.set(header.name(), header.write(left)))
                              .build())
                  .orElse(request));
        });
  }

  private Optional<Deadline> deadline(@Nullable RequestContext request) {
    Optional<Deadline> here = Deadline.current(tenrec);
    if (here.isPresent() || request == null) {
      return here;
    }
    try (Scope scope = request.enter()) {
      return Deadline.current(tenrec);
    }
  }
}
