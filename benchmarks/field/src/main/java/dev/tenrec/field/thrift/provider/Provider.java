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
import org.apache.thrift.server.TThreadedSelectorServer;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.apache.thrift.transport.TTransportException;

/**
 * A non-blocking Thrift server on loopback, set up as its library does by default: frames are read
 * by selectors, and wait in a queue without a bound for one of a few workers. What bounds it is the
 * machine, its threads, and its heap, of which frames may take a quarter.
 */
final class Provider implements AutoCloseable {

  private static final int SELECTORS = 2;
  private static final int WORKERS = 4;

  private final TThreadedSelectorServer server;
  private final ThreadPoolExecutor workers;
  private final EchoProcessor processor;
  private final Thread serving;
  private final int port;

  private Provider(TNonblockingServerSocket socket) throws TTransportException {
    // as Executors.newFixedThreadPool makes it, which is what the server would do by itself
    this.workers =
        new ThreadPoolExecutor(
            WORKERS, WORKERS, 0, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>());
    this.processor = new EchoProcessor();
    TThreadedSelectorServer.Args args =
        new TThreadedSelectorServer.Args(socket)
            .selectorThreads(SELECTORS)
            .executorService(workers)
            .stopTimeoutUnit(TimeUnit.SECONDS)
            .stopTimeoutVal(1)
            .protocolFactory(new TBinaryProtocol.Factory())
            .processor(processor);
    args.maxReadBufferBytes = Runtime.getRuntime().maxMemory() / 4;
    this.server = new TThreadedSelectorServer(args);
    this.port = socket.getPort();
    this.serving = new Thread(server::serve, "provider");
    this.serving.setDaemon(true);
  }

  /**
   * Starts one.
   *
   * @param port where, or 0 for a free one
   * @throws IOException if the port is taken, or there is another reason not to listen
   */
  static Provider open(int port) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try {
      Provider provider = new Provider(new TNonblockingServerSocket(address));
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
