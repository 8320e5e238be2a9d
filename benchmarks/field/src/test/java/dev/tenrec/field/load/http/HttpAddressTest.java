// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpAddressTest {

  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:8080/a?b=c, /a?b=c",
    "http://127.9.9.9:8080, /",
    "http://localhost:8080/a, /a",
    "http://[::1]:8080/a%20b, /a%20b"
  })
  void of_thisMachine_isTaken(String url, String path) {
    HttpAddress address = HttpAddress.of(url);

    assertThat(address.socket().getAddress().isLoopbackAddress()).isTrue();
    assertThat(address.socket().getPort()).isEqualTo(8080);
    assertThat(address.path()).isEqualTo(path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://192.0.2.1:80/",
        "http://10.0.0.1:80/",
        "http://0.0.0.0:80/",
        "http://[2001:db8::1]:80/",
        "http://example.org:80/",
        "http://localhost.example.org:80/",
        "http://127.0.0.1.example.org:80/",
        "http://localhost@example.org:80/"
      })
  void of_anyOtherMachine_isRefused(String url) {
    String place = url.replaceAll("http://(.*@)?(.*)/", "$2");
    assertThatThrownBy(() -> HttpAddress.of(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the address is "
                + url
                + ": it is not on this machine, and "
                + place
                + " is not allowed; expected one like http://127.0.0.1:8080/path");
  }

  @Test
  void of_anAllowedPlace_isTaken_withItsPortOnly() {
    Set<String> allowed = Set.of("192.0.2.1:80", "[2001:db8::1]:80");

    assertThat(HttpAddress.of("http://192.0.2.1:80/a", allowed))
        .extracting(HttpAddress::host, HttpAddress::path)
        .containsExactly("192.0.2.1:80", "/a");
    assertThat(HttpAddress.of("http://[2001:db8::1]:80/", allowed).socket().getPort())
        .isEqualTo(80);
    assertThatThrownBy(() -> HttpAddress.of("http://192.0.2.1:81/", allowed))
        .hasMessageContaining("192.0.2.1:81 is not allowed");
    assertThat(HttpAddress.of("http://127.0.0.1:1/", allowed).socket().getAddress())
        .satisfies(address -> assertThat(address.isLoopbackAddress()).isTrue());
  }

  @Test
  void of_noHttpOrNoUrl_saysSo() {
    assertThatThrownBy(() -> HttpAddress.of("https://127.0.0.1:1/"))
        .hasMessageContaining("it is not http with a port");
    assertThatThrownBy(() -> HttpAddress.of("http://127.0.0.1/"))
        .hasMessageContaining("it is not http with a port");
    assertThatThrownBy(() -> HttpAddress.of("a b")).hasMessageContaining("it is not a URL");
  }
}
