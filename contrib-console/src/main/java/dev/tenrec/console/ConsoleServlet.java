// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tenrec.hystrix.stream.internal.feed.Parts;
import dev.tenrec.hystrix.stream.internal.feed.StreamResponse;
import dev.tenrec.hystrix.stream.internal.servlet.AsyncClient;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.MappingMatch;
import java.io.IOException;
import java.security.Principal;
import java.util.Objects;

/**
 * The page as a servlet, which has to be registered with {@code asyncSupported}: at {@code
 * /somewhere/*}, or at each of the {@linkplain ConsolePage#names page's names} below {@code
 * /somewhere/}. No thread of the container waits for a page; one waits for a fleet's store, or for
 * another instance to answer. The application says which requests may read, as for its other paths.
 *
 * <p>Several servlets may share one {@link ConsolePage}, which they do not close.
 */
public final class ConsoleServlet extends HttpServlet {

  private final transient ConsolePage page;
  private final boolean mayChange;

  /** This page; its fleet, if it has one, may be changed by users that the container knows. */
  public ConsoleServlet(ConsolePage page) {
    this(page, true);
  }

  /**
   * This page.
   *
   * @param mayChange whether its fleet, if it has one, may be changed by users that the container
   *     knows
   */
  public ConsoleServlet(ConsolePage page, boolean mayChange) {
    this.page = Objects.requireNonNull(page, "page");
    this.mayChange = mayChange;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String below = request.getPathInfo();
    String path = request.getServletPath();
    String last = path.substring(path.lastIndexOf('/') + 1);
    if (below == null && (isBelowItself(request) || !page.names().contains(last))) {
      response.setStatus(HttpServletResponse.SC_FOUND);
      response.setHeader("Location", last + "/"); // or its parts would be looked for beside it
      return;
    }
    Principal user = mayChange ? request.getUserPrincipal() : null;
    ConsoleAnswer answer =
        page.answer(
            request.getMethod(),
            below == null ? last : below.substring(1),
            request.getQueryString(),
            request::getHeader,
            user == null ? null : user.getName(),
            body(request));
    answer.headers().forEach(response::setHeader);
    if (answer.isStream()) {
      stream(request, response, answer);
      return;
    }
    byte[] body = answer.body();
    response.setStatus(answer.status());
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  /** Whether what is mapped is all that is below a path, which may be called as a part is. */
  private static boolean isBelowItself(HttpServletRequest request) {
    return request.getHttpServletMapping().getMappingMatch() == MappingMatch.PATH;
  }

  private static byte[] body(HttpServletRequest request) throws IOException {
    return request.getMethod().equals("POST")
        ? request.getInputStream().readNBytes(ConsolePage.LONGEST_BODY + 1)
        : new byte[0];
  }

  private void stream(
      HttpServletRequest request, HttpServletResponse response, ConsoleAnswer answer)
      throws IOException {
    if (!request.isAsyncSupported()) {
      answer.leave();
      throw new IllegalStateException(
          "the servlet of the console, and every filter before it, has to be registered with"
              + " asyncSupported=true");
    }
    AsyncClient client = new AsyncClient();
    Parts parts = page.take(answer, client);
    if (parts == null) {
      // no sendError: its page would have to be of the stream's type
      response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
      response.setContentType("text/plain;charset=UTF-8");
      response
          .getOutputStream()
          .write((StreamResponse.full(page.feed().maxClients()) + "\n").getBytes(UTF_8));
      return;
    }
    StreamResponse.NOT_KEPT.forEach(response::setHeader);
    client.begin(parts, request, response);
  }
}
