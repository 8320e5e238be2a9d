// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.wire;

import java.nio.ByteBuffer;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;

/**
 * What the provider is asked: to add, and to send back what it was sent.
 *
 * @param additions how many random numbers it adds
 * @param payload what it sends back
 */
public record EchoCall(int additions, ByteBuffer payload) {

  /** The method's name. */
  public static final String METHOD = "echo";

  private static final TStruct ARGUMENTS = new TStruct("echo_args");
  private static final TField ADDITIONS = new TField("additions", TType.I32, (short) 1);
  private static final TField PAYLOAD = new TField("payload", TType.STRING, (short) 2);

  void write(TProtocol out, int sequence) throws TException {
    out.writeMessageBegin(new TMessage(METHOD, TMessageType.CALL, sequence));
    out.writeStructBegin(ARGUMENTS);
    out.writeFieldBegin(ADDITIONS);
    out.writeI32(additions);
    out.writeFieldEnd();
    out.writeFieldBegin(PAYLOAD);
    out.writeBinary(payload);
    out.writeFieldEnd();
    out.writeFieldStop();
    out.writeStructEnd();
    out.writeMessageEnd();
  }

  /** Reads what follows the beginning of the message. */
  public static EchoCall read(TProtocol in) throws TException {
    int[] additions = new int[1];
    ByteBuffer[] payload = {ByteBuffer.allocate(0)};
    Fields.read(
        in,
        field -> {
          if (field.id == ADDITIONS.id && field.type == TType.I32) {
            additions[0] = in.readI32();
          } else if (field.id == PAYLOAD.id && field.type == TType.STRING) {
            payload[0] = in.readBinary();
          } else {
            return false;
          }
          return true;
        });
    in.readMessageEnd();
    return new EchoCall(additions[0], payload[0]);
  }
}
