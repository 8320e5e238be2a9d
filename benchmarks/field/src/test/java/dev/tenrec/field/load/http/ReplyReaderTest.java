// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyReaderTest {

  private final ReplyReader reader = new ReplyReader();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\ncontent-length:0\r\n\r\n",
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n",
        "HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nTrailer: x\r\n\r\n"
      })
  void take_byteByByte_isCompleteAtTheLastOnly(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);

    for (int i = 0; i < bytes.length; i++) {
      assertThat(reader.take(new byte[] {bytes[i]}, 1)).isEqualTo(i == bytes.length - 1);
    }
    assertThat(reader.status()).isBetween(200, 204);
    assertThat(reader.keepAlive()).isTrue();
  }

  @Test
  void take_allAtOnce_isComplete() throws IOException {
    assertThat(take("HTTP/1.1 503 No\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno"))
        .isTrue();
    assertThat(reader.status()).isEqualTo(503);
    assertThat(reader.keepAlive()).isFalse();
  }

  @Test
  void take_withHeaders_reportsEachAsItWasWritten() throws IOException {
    List<String> headers = new ArrayList<>();
    ReplyReader reader = new ReplyReader(headers::add, false);
    byte[] bytes =
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nWhy: So It Is\r\n\r\nA:b"
            .getBytes(StandardCharsets.US_ASCII);

    assertThat(reader.take(bytes, bytes.length)).isTrue();

    assertThat(headers).containsExactly("Content-Length: 3", "Why: So It Is");
  }

  @Test
  void take_toHead_endsWithTheHead() throws IOException {
    ReplyReader toHead = new ReplyReader(line -> {}, true);
    byte[] bytes =
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    assertThat(toHead.take(bytes, bytes.length - 1)).isFalse();
    assertThat(toHead.take(new byte[] {'\n'}, 1)).isTrue();
    assertThat(toHead.keepAlive()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SSH-2.0|expected an HTTP/1.1 status, but found 'SSH-2.0'",
        "HTTP/1.1 2xx OK|expected a number, but found '2xx'",
        "HTTP/1.1 200 OK;Content-Length: many|expected a number, but found 'many'",
        "HTTP/1.1 200 OK;|a reply of status 200 that does not state its length",
        "HTTP/1.1 200 OK;Content-Length: 1;;ab|3 bytes after the end of the reply"
      })
  void take_whatIsNoReply_saysWhat(String text, String message) {
    assertThatThrownBy(() -> take(text.replace(";", "\r\n") + "\r\n"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(message);
  }

  private boolean take(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return reader.take(bytes, bytes.length);
  }
}
