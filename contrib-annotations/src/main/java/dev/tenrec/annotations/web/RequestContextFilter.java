// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.web;

import dev.tenrec.core.DeadlineHeader;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator.Scope;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Opens a request context for each servlet request. One that goes on asynchronously keeps it until
 * it completes, and its later dispatches are at it again.
 */
public final class RequestContextFilter extends OncePerRequestFilter implements Ordered {

  /** After the filters that set up encoding, tracing and the like; before the application's. */
  public static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

  private static final AtomicLong TENRECS = new AtomicLong();

  /** For each Tenrec the attribute that holds its context in a request. */
  private static final Map<Tenrec, String> ATTRIBUTES =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final Tenrec tenrec;
  private final @Nullable DeadlineHeader header;

  /** Another filter of the same chain may be for another Tenrec, or for the same. */
  private final String attribute;

  /** A filter for the requests of this Tenrec's commands. */
  public RequestContextFilter(Tenrec tenrec) {
    this(tenrec, null);
  }

  /**
   * A filter for the requests of this Tenrec's commands, which opens the deadline that a request
   * brings along.
   *
   * @param header where it is; null if no deadline is read. A value that cannot be read counts as
   *     none
   */
  public RequestContextFilter(Tenrec tenrec, @Nullable DeadlineHeader header) {
    this.tenrec = tenrec;
    this.header = header;
    attribute =
        ATTRIBUTES.computeIfAbsent(
            tenrec,
            unused ->
                RequestContextFilter.class.getName() + ".context." + TENRECS.incrementAndGet());
  }

  @Override
  public int getOrder() {
    return ORDER;
  }

  /** Whatever the filters are named: one for each Tenrec filters a dispatch, and only one. */
  @Override
  protected String getAlreadyFilteredAttributeName() {
    return attribute + ALREADY_FILTERED_SUFFIX;
  }

  @Override
  protected boolean shouldNotFilterAsyncDispatch() {
    return false;
  }

  @Override
  protected boolean shouldNotFilterErrorDispatch() {
    return false;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    RequestContext earlier = (RequestContext) request.getAttribute(attribute);
    if (earlier != null && !earlier.isClosed()) {
      at(earlier, request, response, chain);
      return;
    }
    if (header == null) {
      begin(request, response, chain);
      return;
    }
    try (Scope deadline = IncomingDeadline.open(tenrec, header, request.getHeader(header.name()))) {
      begin(request, response, chain);
    }
  }

  private void begin(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    RequestContext context = tenrec.openRequest();
    boolean goesOn = false;
    try {
      request.setAttribute(attribute, context);
      chain.doFilter(request, response);
      goesOn = request.isAsyncStarted();
      if (goesOn) {
        request.getAsyncContext().addListener(new Closing(context));
        context.leave();
      }
    } finally {
      if (!goesOn) {
        request.removeAttribute(attribute);
        context.close();
      }
    }
  }

  private static void at(
      RequestContext context,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws ServletException, IOException {
    Callable<@Nullable Void> task =
        () -> {
          chain.doFilter(request, response);
          return null;
        };
    try {
      Void unused = context.wrap(task).call();
    } catch (ServletException | IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ServletException(e);
    }
  }

  /** Closes when all is over, whatever came of it. */
  private record Closing(RequestContext context) implements AsyncListener {

    @Override
    public void onComplete(AsyncEvent event) {
      context.close();
    }

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
    }
  }
}
