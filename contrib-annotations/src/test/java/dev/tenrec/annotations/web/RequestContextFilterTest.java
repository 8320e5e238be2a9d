// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.publisher.Mono;

/** One request context per web request. */
class RequestContextFilterTest {

  private final Tenrec tenrec = Tenrec.create();
  private final RequestContextFilter filter = new RequestContextFilter(tenrec);
  private final MockHttpServletRequest request = new MockHttpServletRequest();
  private final MockHttpServletResponse response = new MockHttpServletResponse();
  private Optional<RequestContext> seen = Optional.empty();

  @AfterEach
  void close() {
    tenrec.close();
  }

  private interface Body {
    void handle(HttpServletRequest request) throws IOException, ServletException;
  }

  private void filter(Body body) throws IOException, ServletException {
    @SuppressWarnings("serial")
    class Endpoint extends HttpServlet {
      @Override
      protected void service(HttpServletRequest request, HttpServletResponse response)
          throws IOException, ServletException {
        seen = tenrec.currentRequest();
        body.handle(request);
      }
    }
    filter.doFilter(request, response, new MockFilterChain(new Endpoint()));
  }

  @Test
  void request_hasAContext_whichIsClosedWithIt() throws Exception {
    filter(handled -> assertThat(tenrec.currentRequest().orElseThrow().isClosed()).isFalse());

    assertThat(seen).isPresent();
    assertThat(seen.orElseThrow().isClosed()).isTrue();
    assertThat(tenrec.currentRequest()).isEmpty();
  }

  @Test
  void requestThatFails_isClosedAsWell() {
    assertThatThrownBy(
            () ->
                filter(
                    handled -> {
                      throw new IOException("broken");
                    }))
        .hasMessage("broken");

    assertThat(seen.orElseThrow().isClosed()).isTrue();
    assertThat(tenrec.currentRequest()).isEmpty();
  }

  @Test
  void requestThatGoesOn_keepsItsContext_untilItCompletes() throws Exception {
    request.setAsyncSupported(true);
    filter(HttpServletRequest::startAsync);
    RequestContext context = seen.orElseThrow();
    assertThat(context.isClosed()).isFalse();
    assertThat(tenrec.currentRequest()).as("the thread is free for others").isEmpty();

    AsyncContext async = request.getAsyncContext();
    request.setDispatcherType(DispatcherType.ASYNC);
    request.setAsyncStarted(false);
    filter(
        handled -> {
          assertThat(tenrec.currentRequest()).isPresent();
          tenrec.currentRequest().ifPresent(now -> assertThat(now.log()).isNotNull());
        });
    assertThat(tenrec.currentRequest()).isEmpty();
    assertThat(context.isClosed()).isFalse();

    ((MockAsyncContext) async).complete();
    assertThat(context.isClosed()).isTrue();
  }

  @Test
  void request_ofFiltersForTwoTenrecs_hasAContextOfEach() throws Exception {
    try (Tenrec another = Tenrec.create()) {
      RequestContextFilter further = new RequestContextFilter(another);
      List<RequestContext> opened = new ArrayList<>();
      @SuppressWarnings("serial")
      class Endpoint extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) {
          tenrec.currentRequest().ifPresent(opened::add);
          another.currentRequest().ifPresent(opened::add);
        }
      }

      new MockFilterChain(new Endpoint(), filter, further).doFilter(request, response);

      assertThat(opened).hasSize(2).allMatch(RequestContext::isClosed);
      assertThat(another.currentRequest()).isEmpty();
    }
  }

  @Test
  void request_ofTwoFiltersForOneTenrec_hasOneContext() throws Exception {
    for (String name : List.of("further", "")) {
      RequestContextFilter further = new RequestContextFilter(tenrec);
      if (!name.isEmpty()) {
        further.setBeanName(name);
      }
      List<Boolean> closedWithTheFurther = new ArrayList<>();
      List<RequestContext> within = new ArrayList<>();
      @SuppressWarnings("serial")
      class Endpoint extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) {
          tenrec.currentRequest().ifPresent(within::add);
        }
      }

      new MockFilterChain(
              new Endpoint(),
              filter,
              (asked, answer, chain) -> {
                chain.doFilter(asked, answer);
                within.forEach(each -> closedWithTheFurther.add(each.isClosed()));
              },
              further)
          .doFilter(new MockHttpServletRequest(), new MockHttpServletResponse());

      assertThat(closedWithTheFurther).as(name).containsExactly(false);
      assertThat(within).as(name).hasSize(1).allMatch(RequestContext::isClosed);
    }
  }

  @Test
  void reactiveRequest_hasItInReactorsContext() {
    ReactiveRequestContextFilter reactive = new ReactiveRequestContextFilter(tenrec);
    MockServerWebExchange exchange =
        MockServerWebExchange.from(MockServerHttpRequest.get("/").build());
    RequestContext[] found = new RequestContext[1];

    reactive
        .filter(
            exchange,
            handled ->
                Mono.deferContextual(
                    context -> {
                      found[0] = context.get(RequestContext.class);
                      assertThat(found[0].isClosed()).isFalse();
                      assertThat(tenrec.currentRequest()).isEmpty();
                      return Mono.empty();
                    }))
        .block();

    assertThat(found[0].isClosed()).isTrue();
  }
}
