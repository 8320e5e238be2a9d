// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Deadline;
import dev.tenrec.core.DeadlineHeader;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.metrics.time.ManualTime;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpMethod;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.reactive.function.client.ClientRequest;
import reactor.core.publisher.Mono;

/** Deadlines come in with web requests, and go out with those that commands make. */
class DeadlineHeadersTest {

  private static final DeadlineHeader HEADER = DeadlineHeader.millis("X-Left");
  private static final Duration LEFT = Duration.ofMillis(250);

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();

  @AfterEach
  void close() {
    assertThat(Deadline.current(tenrec)).isEmpty();
    tenrec.close();
  }

  private Optional<Duration> left() {
    return Deadline.current(tenrec).map(Deadline::remaining);
  }

  private Optional<Duration> ofServletRequest(
      @Nullable DeadlineHeader header, @Nullable String value) throws Exception {
    MockHttpServletRequest request = new MockHttpServletRequest();
    if (value != null) {
      request.addHeader("X-Left", value);
    }
    List<Optional<Duration>> seen = new ArrayList<>();
    new RequestContextFilter(tenrec, header)
        .doFilter(request, new MockHttpServletResponse(), (handled, response) -> seen.add(left()));
    assertThat(seen).hasSize(1);
    return seen.get(0);
  }

  @Test
  void servletRequest_withTheHeader_isWithinItsDeadline() throws Exception {
    assertThat(ofServletRequest(HEADER, "250")).hasValue(LEFT);
    assertThat(ofServletRequest(HEADER, "0")).hasValue(Duration.ZERO);
  }

  @Test
  void servletRequest_withoutHeader_hasNoDeadline() throws Exception {
    assertThat(ofServletRequest(HEADER, null)).isEmpty();
    assertThat(ofServletRequest(null, "250")).as("no header is read").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "-5", "12:00"})
  void servletRequest_withAHeaderThatIsNoNumber_goesOnWithoutDeadline(String value)
      throws Exception {
    assertThat(ofServletRequest(HEADER, value)).isEmpty();
  }

  @Test
  void reactiveRequest_withTheHeader_bringsItsDeadlineWithItsContext() {
    MockServerWebExchange exchange =
        MockServerWebExchange.from(MockServerHttpRequest.get("/").header("X-Left", "250").build());
    List<Optional<Duration>> seen = new ArrayList<>();

    new ReactiveRequestContextFilter(tenrec, HEADER)
        .filter(
            exchange,
            handled ->
                Mono.deferContextual(
                    context -> {
                      seen.add(left());
                      seen.add(context.get(RequestContext.class).wrapSupplier(this::left).get());
                      return Mono.empty();
                    }))
        .block();

    assertThat(seen).containsExactly(Optional.empty(), Optional.of(LEFT));
  }

  @Test
  void interceptor_withinADeadline_writesWhatIsLeft() throws Exception {
    DeadlineInterceptor interceptor = new DeadlineInterceptor(tenrec, HEADER);
    MockClientHttpRequest within = new MockClientHttpRequest(HttpMethod.GET, URI.create("/"));
    MockClientHttpRequest without = new MockClientHttpRequest(HttpMethod.GET, URI.create("/"));

    try (Scope scope = Deadline.after(tenrec, LEFT).open()) {
      interceptor
          .intercept(within, new byte[0], (sent, body) -> new MockClientHttpResponse())
          .close();
    }
    interceptor
        .intercept(without, new byte[0], (sent, body) -> new MockClientHttpResponse())
        .close();

    assertThat(within.getHeaders().getFirst("X-Left")).isEqualTo("250");
    assertThat(without.getHeaders().getFirst("X-Left")).isNull();
  }

  private @Nullable String sent(@Nullable RequestContext context) {
    List<ClientRequest> requests = new ArrayList<>();
    new DeadlineExchangeFilter(tenrec, HEADER)
        .filter(
            ClientRequest.create(HttpMethod.GET, URI.create("/")).build(),
            request -> {
              requests.add(request);
              return Mono.empty();
            })
        .contextWrite(
            written -> context == null ? written : written.put(RequestContext.class, context))
        .block();
    assertThat(requests).hasSize(1);
    return requests.get(0).headers().getFirst("X-Left");
  }

  @Test
  void exchangeFilter_withinADeadline_writesWhatIsLeft() {
    assertThat(sent(null)).isNull();
    try (Scope scope = Deadline.after(tenrec, LEFT).open()) {
      assertThat(sent(null)).isEqualTo("250");
    }
  }

  @Test
  void exchangeFilter_withARequestInReactorsContext_writesThatOnesDeadline() {
    RequestContext request;
    try (Scope scope = Deadline.after(tenrec, LEFT).open()) {
      request = tenrec.openRequest();
      request.leave();
    }

    assertThat(sent(request)).isEqualTo("250");
    request.close();
  }
}
