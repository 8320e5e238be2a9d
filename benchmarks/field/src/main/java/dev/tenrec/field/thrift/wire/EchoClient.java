// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.wire;

import java.net.InetAddress;
import java.time.Duration;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.layered.TFramedTransport;

/**
 * One connection and its client. Not thread-safe, as no Thrift client is: two threads in one client
 * read each other's replies. Only {@link #close} may come from another thread.
 */
public final class EchoClient implements AutoCloseable {

  private final TSocket socket;
  private final TProtocol protocol;
  private int sequence;

  private EchoClient(TSocket socket) throws TException {
    this.socket = socket;
    this.protocol = new TBinaryProtocol(new TFramedTransport(socket));
  }

  /**
   * Connects to a provider on this machine.
   *
   * @param patience how long that may take
   */
  public static EchoClient connect(int port, Duration patience) throws TException {
    String host = InetAddress.getLoopbackAddress().getHostAddress();
    EchoClient client =
        new EchoClient(new TSocket(new TConfiguration(), host, port, millis(patience)));
    client.socket.open();
    return client;
  }

  /**
   * Calls, and waits for the answer. A client that has thrown is of no use any more: its reply may
   * still come.
   *
   * @param patience how long the answer may take
   */
  public Echoed echo(EchoCall call, Duration patience) throws TException {
    socket.setSocketTimeout(millis(patience));
    call.write(protocol, ++sequence);
    protocol.getTransport().flush();
    TMessage message = protocol.readMessageBegin();
    if (message.type == TMessageType.EXCEPTION) {
      TApplicationException error = new TApplicationException();
      error.read(protocol);
      throw error;
    }
    if (message.seqid != sequence) {
      throw new TApplicationException(
          TApplicationException.BAD_SEQUENCE_ID,
          "out of sequence response: " + message.seqid + ", expected " + sequence);
    }
    Echoed echoed = Echoed.read(protocol);
    if (!echoed.payload().equals(call.payload())) {
      throw new TApplicationException(
          TApplicationException.INTERNAL_ERROR,
          "sent " + call.payload() + ", and received another: " + echoed.payload());
    }
    return echoed;
  }

  /** 0 would be for ever. */
  private static int millis(Duration patience) {
    return (int) Math.max(1, Math.min(patience.toMillis(), Integer.MAX_VALUE));
  }

  /** Breaks off what is going on. */
  @Override
  public void close() {
    socket.close();
  }
}
