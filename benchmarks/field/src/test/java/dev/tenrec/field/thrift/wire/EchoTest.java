// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.apache.thrift.transport.TMemoryBuffer;
import org.junit.jupiter.api.Test;

class EchoTest {

  private final TProtocol wire = protocol();

  @Test
  void read_whatWriteMade_isTheSame() throws TException {
    EchoCall call = new EchoCall(7, ByteBuffer.wrap(new byte[] {1, 2, 3}));
    call.write(wire, 5);

    TMessage message = wire.readMessageBegin();
    assertThat(message).isEqualTo(new TMessage("echo", TMessageType.CALL, 5));
    assertThat(EchoCall.read(wire)).isEqualTo(call);

    Echoed echoed = new Echoed(-9, ByteBuffer.wrap(new byte[] {4}));
    echoed.write(wire, 6);
    assertThat(wire.readMessageBegin().seqid).isEqualTo(6);
    assertThat(Echoed.read(wire)).isEqualTo(echoed);
  }

  @Test
  void read_aFieldOfANewerPeer_skipsIt() throws TException {
    wire.writeStructBegin(new TStruct("echo_args"));
    wire.writeFieldBegin(new TField("urgent", TType.BOOL, (short) 9));
    wire.writeBool(true);
    wire.writeFieldEnd();
    wire.writeFieldBegin(new TField("additions", TType.I32, (short) 1));
    wire.writeI32(3);
    wire.writeFieldEnd();
    wire.writeFieldStop();
    wire.writeStructEnd();

    assertThat(EchoCall.read(wire)).isEqualTo(new EchoCall(3, ByteBuffer.allocate(0)));
  }

  @Test
  void read_aReplyWithoutResult_saysSo() throws TException {
    wire.writeStructBegin(new TStruct("echo_result"));
    wire.writeFieldStop();
    wire.writeStructEnd();

    assertThatThrownBy(() -> Echoed.read(wire))
        .isInstanceOf(TApplicationException.class)
        .hasMessage("the reply of echo has no result");
  }

  private static TProtocol protocol() {
    try {
      return new TBinaryProtocol(new TMemoryBuffer(1_000));
    } catch (TException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
