// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTest {

  private static final HttpAddress HERE = HttpAddress.of("http://127.0.0.1:8080/a?b=c");

  @Test
  void bytes_ofAGet_areARequestLineAndAHost() {
    assertThat(text(Request.GET)).isEqualTo("GET /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n");
    assertThat(Request.GET.label()).isEqualTo("GET");
  }

  @Test
  void bytes_ofABody_haveItsLengthInBytes() {
    byte[] body = "grüß".getBytes(StandardCharsets.UTF_8);

    Request request = Request.of("POST", List.of("Content-Type: text/plain", "X-Empty:"), body);

    assertThat(text(request))
        .startsWith("POST /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n")
        .contains("\r\nContent-Type: text/plain\r\nX-Empty:\r\nContent-Length: 6\r\n\r\n")
        .endsWith(new String(body, StandardCharsets.ISO_8859_1));
    assertThat(request.label()).isEqualTo("POST of 6 bytes");
  }

  @Test
  void bytes_withNoBody_haveALengthWhereAServerWaitsForOne() {
    assertThat(text(Request.of("PUT", List.of(), new byte[0]))).contains("Content-Length: 0");
    assertThat(text(Request.of("DELETE", List.of(), new byte[0]))).doesNotContain("Length");
  }

  @Test
  void bytes_withAHost_haveNoOther() {
    Request request = Request.of("GET", List.of("host: shop.example"), new byte[0]);

    assertThat(text(request)).isEqualTo("GET /a?b=c HTTP/1.1\r\nhost: shop.example\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"X", "X Y: z", ": z", "X: a\r\nEvil: b", "X: a\nEvil: b", "X: \u20ac"})
  void of_whatIsNoHeader_isRefused(String header) {
    assertThatThrownBy(() -> Request.of("GET", List.of(header), new byte[0]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the header is '" + header + "', expected one like 'Accept: text/plain'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 1", "TRANSFER-ENCODING: chunked", "Connection: close"})
  void of_aHeaderOfTheDriver_isRefused(String header) {
    assertThatThrownBy(() -> Request.of("GET", List.of(header), new byte[0]))
        .hasMessage(
            "the header is '" + header + "', which the driver sets itself; expected another");
  }

  @Test
  void of_anotherMethod_isRefused() {
    assertThatThrownBy(() -> Request.of("CONNECT", List.of(), new byte[0]))
        .hasMessage(
            "the method is CONNECT, expected one of [DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT]");
  }

  private static String text(Request request) {
    return new String(request.bytes(HERE), StandardCharsets.ISO_8859_1);
  }
}
