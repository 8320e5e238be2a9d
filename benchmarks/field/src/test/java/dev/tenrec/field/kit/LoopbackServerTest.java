// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class LoopbackServerTest {

  @Test
  void notBound_forWhateverReason_saysIt() {
    assertThat(said(8_080, new BindException("Address already in use")))
        .isEqualTo("is in use; expected a free one, or 0 to have one chosen");
    assertThat(said(80, new BindException("Permission denied")))
        .isEqualTo(
            "is not for this user to listen at (Permission denied); expected one above 1023, or"
                + " the right to it, or 0 to have one chosen");
    assertThat(said(80, new BindException("Keine Berechtigung")))
        .isEqualTo(
            "cannot be listened at (Keine Berechtigung); expected a free one, or 0 to have one"
                + " chosen");
  }

  @Test
  void notBound_wrapped_saysWhatTheOperatingSystemSaid() {
    Exception wrapped =
        new IllegalStateException("no socket", new BindException("Permission denied"));

    assertThat(said(80, wrapped)).contains("(Permission denied)");
    assertThat(said(80, new IllegalStateException("no socket"))).contains("(no socket)");
  }

  private static String said(int port, Exception refused) {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    IOException error = LoopbackServer.notBound(address, refused);
    assertThat(error).hasCause(refused);
    String begin = "port " + port + " of 127.0.0.1 ";
    assertThat(error).hasMessageStartingWith(begin);
    return error.getMessage().substring(begin.length());
  }
}
