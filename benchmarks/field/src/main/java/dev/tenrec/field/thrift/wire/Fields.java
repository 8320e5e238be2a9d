// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.wire;

import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TType;

/** Reads a structure field by field, whatever else a newer peer may have put into it. */
final class Fields {

  /** Takes one field, or does not know it. */
  interface Taker {

    /** Whether it read the field's value. */
    boolean take(TField field) throws TException;
  }

  private Fields() {}

  static void read(TProtocol in, Taker taker) throws TException {
    var unused = in.readStructBegin();
    for (TField field = in.readFieldBegin();
        field.type != TType.STOP;
        field = in.readFieldBegin()) {
      if (!taker.take(field)) {
        TProtocolUtil.skip(in, field.type);
      }
      in.readFieldEnd();
    }
    in.readStructEnd();
  }
}
