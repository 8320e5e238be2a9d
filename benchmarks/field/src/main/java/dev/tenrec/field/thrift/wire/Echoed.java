// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.wire;

import java.nio.ByteBuffer;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.jspecify.annotations.Nullable;

/**
 * What the provider answers.
 *
 * @param sum of the random numbers
 * @param payload what it was sent
 */
public record Echoed(long sum, ByteBuffer payload) {

  private static final TStruct RESULT = new TStruct("echo_result");
  private static final TField SUCCESS = new TField("success", TType.STRUCT, (short) 0);
  private static final TStruct ECHOED = new TStruct("Echoed");
  private static final TField SUM = new TField("sum", TType.I64, (short) 1);
  private static final TField PAYLOAD = new TField("payload", TType.STRING, (short) 2);

  /** Writes the whole message. */
  public void write(TProtocol out, int sequence) throws TException {
    out.writeMessageBegin(new TMessage(EchoCall.METHOD, TMessageType.REPLY, sequence));
    out.writeStructBegin(RESULT);
    out.writeFieldBegin(SUCCESS);
    out.writeStructBegin(ECHOED);
    out.writeFieldBegin(SUM);
    out.writeI64(sum);
    out.writeFieldEnd();
    out.writeFieldBegin(PAYLOAD);
    out.writeBinary(payload);
    out.writeFieldEnd();
    out.writeFieldStop();
    out.writeStructEnd();
    out.writeFieldEnd();
    out.writeFieldStop();
    out.writeStructEnd();
    out.writeMessageEnd();
  }

  static Echoed read(TProtocol in) throws TException {
    @Nullable Echoed[] echoed = new @Nullable Echoed[1];
    Fields.read(
        in,
        field -> {
          if (field.id == SUCCESS.id && field.type == TType.STRUCT) {
            echoed[0] = readSuccess(in);
            return true;
          }
          return false;
        });
    in.readMessageEnd();
    Echoed found = echoed[0];
    if (found == null) {
      throw new TApplicationException(
          TApplicationException.MISSING_RESULT,
          "the reply of " + EchoCall.METHOD + " has no result");
    }
    return found;
  }

  private static Echoed readSuccess(TProtocol in) throws TException {
    long[] sum = new long[1];
    ByteBuffer[] payload = {ByteBuffer.allocate(0)};
    Fields.read(
        in,
        field -> {
          if (field.id == SUM.id && field.type == TType.I64) {
            sum[0] = in.readI64();
          } else if (field.id == PAYLOAD.id && field.type == TType.STRING) {
            payload[0] = in.readBinary();
          } else {
            return false;
          }
          return true;
        });
    return new Echoed(sum[0], payload[0]);
  }
}
