// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Tenrec;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.MappingMatch;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which part of the page a servlet's request is for, by how the servlet is mapped. */
class ConsoleServletTest {

  private final Tenrec tenrec = Tenrec.create();
  private final ConsolePage page = ConsolePage.of(tenrec);
  private final ConsoleServlet servlet = new ConsoleServlet(page);

  @AfterEach
  void close() {
    page.close();
    tenrec.close();
  }

  private interface Container {

    /** What a container answers the servlet that calls this. */
    Object called(Method method, Object[] arguments);
  }

  private static <T> T of(Class<T> type, Container container) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> container.called(method, arguments)));
  }

  private static HttpServletRequest request(MappingMatch match, String path) {
    HttpServletMapping mapping =
        of(
            HttpServletMapping.class,
            (method, none) -> method.getName().equals("getMappingMatch") ? match : null);
    return of(
        HttpServletRequest.class,
        (method, arguments) ->
            switch (method.getName()) {
              case "getMethod" -> "GET";
              case "getServletPath" -> path;
              case "getHttpServletMapping" -> mapping;
              case "getPathInfo", "getQueryString", "getHeader", "getUserPrincipal" -> null;
              default -> throw new UnsupportedOperationException(method.toString());
            });
  }

  /** What was answered. */
  private static final class Answer extends ServletOutputStream {

    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final Map<String, Object> headers = new HashMap<>();
    private int status;

    HttpServletResponse response() {
      return of(
          HttpServletResponse.class,
          (method, arguments) -> {
            switch (method.getName()) {
              case "setStatus" -> status = (int) arguments[0];
              case "setHeader" -> headers.put((String) arguments[0], arguments[1]);
              case "setContentLength" -> headers.put("Content-Length", arguments[0]);
              case "getOutputStream" -> {
                return this;
              }
              default -> throw new UnsupportedOperationException(method.toString());
            }
            return null;
          });
    }

    @Override
    public void write(int octet) {
      body.write(octet);
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      throw new UnsupportedOperationException();
    }
  }

  private Answer answer(MappingMatch match, String path) throws Exception {
    Answer answer = new Answer();
    servlet.service(request(match, path), answer.response());
    return answer;
  }

  @Test
  void path_thatIsCalledAsAPart_isThePageAllTheSame() throws Exception {
    for (String name : page.names()) {
      if (!name.isEmpty()) {
        Answer answer = answer(MappingMatch.PATH, "/ops/" + name);
        assertThat(answer.status).as(name).isEqualTo(302);
        assertThat(answer.headers).as(name).containsEntry("Location", name + "/");
      }
    }
  }

  @Test
  void part_thatIsMappedItself_isThatPart() throws Exception {
    Answer answer = answer(MappingMatch.EXACT, "/ops/words.js");

    assertThat(answer.status).isEqualTo(200);
    assertThat(answer.body.toString(UTF_8)).contains("export");
  }

  @Test
  void path_ofAnyOtherName_getsTheSlashThatItsPartsAreBelow() throws Exception {
    assertThat(answer(MappingMatch.PATH, "/ops").headers).containsEntry("Location", "ops/");
    assertThat(answer(MappingMatch.EXACT, "/ops").headers).containsEntry("Location", "ops/");
  }
}
