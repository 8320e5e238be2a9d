// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.provider;

import dev.tenrec.field.thrift.wire.EchoCall;
import dev.tenrec.field.thrift.wire.Echoed;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TType;

/** Adds random numbers, and echoes. Thread-safe; nothing in it waits. */
final class EchoProcessor implements TProcessor {

  private final LongAdder begun = new LongAdder();
  private final LongAdder done = new LongAdder();

  @Override
  public void process(TProtocol in, TProtocol out) throws TException {
    TMessage message = in.readMessageBegin();
    if (!message.name.equals(EchoCall.METHOD)) {
      refuse(message, in, out);
      return;
    }
    EchoCall call = EchoCall.read(in);
    begun.increment();
    new Echoed(sum(call.additions()), call.payload()).write(out, message.seqid);
    out.getTransport().flush();
    done.increment();
  }

  private static void refuse(TMessage message, TProtocol in, TProtocol out) throws TException {
    TProtocolUtil.skip(in, TType.STRUCT);
    in.readMessageEnd();
    out.writeMessageBegin(new TMessage(message.name, TMessageType.EXCEPTION, message.seqid));
    new TApplicationException(
            TApplicationException.UNKNOWN_METHOD,
            "there is no method " + message.name + ", expected " + EchoCall.METHOD)
        .write(out);
    out.writeMessageEnd();
    out.getTransport().flush();
  }

  private static long sum(int additions) {
    Random random = new Random();
    long sum = 0;
    for (int i = 0; i < additions; i++) {
      sum += random.nextInt();
    }
    return sum;
  }

  /** Calls it has begun. */
  long begun() {
    return begun.sum();
  }

  /** Calls whose answer it has written, whether or not anybody waits for it. */
  long done() {
    return done.sum();
  }
}
