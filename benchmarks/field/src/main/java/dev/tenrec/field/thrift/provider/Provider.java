// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.provider;

import dev.tenrec.field.kit.LoopbackServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.server.THsHaServer;
import org.apache.thrift.server.TServer;
import org.apache.thrift.server.TThreadPoolServer;
import org.apache.thrift.server.TThreadedSelectorServer;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.apache.thrift.transport.TServerSocket;
import org.apache.thrift.transport.TTransportException;
import org.apache.thrift.transport.layered.TFramedTransport;

/**
 * A Thrift server on loopback, set up as its library does by default: where it has selectors, they
 * read frames, which wait in a queue without a bound for one of a few workers. What bounds it is
 * the machine, its threads, and its heap, of which frames may take a quarter.
 */
final class Provider implements AutoCloseable {

  private static final long MOST_BUFFER_BYTES = Runtime.getRuntime().maxMemory() / 4;

  private final TServer server;
  private final ThreadPoolExecutor workers;
  private final EchoProcessor processor;
  private final Thread serving;
  private final int port;

  private Provider(InetSocketAddress address, ServerKind kind) throws TTransportException {
    // as Executors.newFixedThreadPool makes it, which is what the servers would do by themselves
    this.workers =
        new ThreadPoolExecutor(
            kind.workers(), kind.workers(), 0, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>());
    this.processor = new EchoProcessor();
    if (kind.model() == ServerKind.Model.CONNECTIONS) {
      TServerSocket socket = new TServerSocket(address);
      this.server = connections(socket);
      this.port = socket.getServerSocket().getLocalPort();
    } else {
      TNonblockingServerSocket socket = new TNonblockingServerSocket(address);
      this.server =
          kind.model() == ServerKind.Model.SELECTORS
              ? selectors(socket, kind.selectors())
              : oneSelector(socket);
      this.port = socket.getPort();
    }
    this.serving = new Thread(server::serve, "provider");
    this.serving.setDaemon(true);
  }

  private TServer selectors(TNonblockingServerSocket socket, int selectors) {
    TThreadedSelectorServer.Args args =
        new TThreadedSelectorServer.Args(socket)
            .selectorThreads(selectors)
            .executorService(workers)
            .stopTimeoutUnit(TimeUnit.SECONDS)
            .stopTimeoutVal(1)
            .protocolFactory(new TBinaryProtocol.Factory())
            .processor(processor);
    args.maxReadBufferBytes = MOST_BUFFER_BYTES;
    return new TThreadedSelectorServer(args);
  }

  private TServer oneSelector(TNonblockingServerSocket socket) {
    THsHaServer.Args args =
        new THsHaServer.Args(socket)
            .executorService(workers)
            .stopTimeoutUnit(TimeUnit.SECONDS)
            .stopTimeoutVal(1)
            .protocolFactory(new TBinaryProtocol.Factory())
            .processor(processor);
    args.maxReadBufferBytes = MOST_BUFFER_BYTES;
    return new THsHaServer(args);
  }

  private TServer connections(TServerSocket socket) {
    return new TThreadPoolServer(
        new TThreadPoolServer.Args(socket)
            .executorService(workers)
            .stopTimeoutUnit(TimeUnit.SECONDS)
            .stopTimeoutVal(1)
            .transportFactory(new TFramedTransport.Factory())
            .protocolFactory(new TBinaryProtocol.Factory())
            .processor(processor));
  }

  /**
   * Starts one.
   *
   * @param port where, or 0 for a free one
   * @throws IOException if the port is taken, or there is another reason not to listen
   */
  static Provider open(int port, ServerKind kind) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try {
      Provider provider = new Provider(address, kind);
      provider.serving.start();
      return provider;
    } catch (TTransportException refused) {
      throw LoopbackServer.notBound(address, refused);
    }
  }

  int port() {
    return port;
  }

  /** What it has done, and what waits. */
  Map<String, Long> gauges() {
    Map<String, Long> gauges = new LinkedHashMap<>();
    // ends before beginnings: so that none seems to have ended that did not begin
    gauges.put("done", processor.done());
    gauges.put("begun", processor.begun());
    gauges.put("queued", (long) workers.getQueue().size());
    return gauges;
  }

  @Override
  public void close() throws InterruptedException {
    server.stop();
    workers.shutdownNow();
    serving.join(TimeUnit.SECONDS.toMillis(3));
  }
}
