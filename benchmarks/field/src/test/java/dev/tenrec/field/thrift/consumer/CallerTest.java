// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.field.thrift.wire.EchoCall;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.apache.thrift.transport.TTransportException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallerTest {

  private static final Duration PATIENCE = Duration.ofMillis(30);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void call_ofAProviderThatDoesNotAnswer_isMadeAsOftenAsIsSaid(int most) throws Exception {
    // which accepts connections by the operating system, and reads nothing
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Connections connections = new Connections(silent.getLocalPort());
      EchoCall call = new EchoCall(1, ByteBuffer.wrap(new byte[1]));
      Caller caller = new Caller(connections, call, PATIENCE, most);

      assertThatThrownBy(() -> caller.call(() -> Duration.ofMinutes(1), canceller -> {}))
          .isInstanceOf(TTransportException.class);

      assertThat(caller.attempts()).isEqualTo(most);
      assertThat(connections.opened()).isEqualTo(most);
      assertThat(caller.succeeded()).isZero();
    }
  }
}
