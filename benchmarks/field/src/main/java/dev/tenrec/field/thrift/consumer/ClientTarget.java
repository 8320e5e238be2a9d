// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.consumer;

import dev.tenrec.field.load.engine.Target;
import dev.tenrec.field.thrift.wire.EchoCall;
import dev.tenrec.field.thrift.wire.EchoClient;
import dev.tenrec.field.thrift.wire.Echoed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.transport.TTransportException;
import org.jspecify.annotations.Nullable;

/**
 * Calls the provider, with no consumer between, by Thrift clients that threads use in one of three
 * ways. Thread-safe, but for what {@link Use#SHARED} is there to show.
 */
public final class ClientTarget implements Target {

  /** What a call fails with that has read another's reply. */
  public static final String OUT_OF_SEQUENCE = "out of sequence response";

  private static final int OK = 200;

  /** How threads come by a client. */
  public enum Use {
    /** All have the same one, and nothing keeps them apart. */
    SHARED("one client, no lock"),

    /** All have the same one, one after the other. */
    LOCKED("one client, one lock"),

    /** Each has one to itself for a call. */
    POOLED("a pool of clients");

    private final String label;

    Use(String label) {
      this.label = label;
    }

    /** For people. */
    public String label() {
      return label;
    }
  }

  private final Use use;
  private final EchoCall call;
  private final Duration patience;
  private final int port;
  private final Connections connections;

  /** Of the pool: added and removed by the calling threads, gone through by the closing one. */
  private final Set<Lease> inUse = ConcurrentHashMap.newKeySet();

  /** The shared one. Written under the lock; read under it, or by all where it is to go wrong. */
  private volatile @Nullable EchoClient client;

  /** Written and read under the lock. */
  private boolean closed;

  /**
   * Nothing is connected yet.
   *
   * @param port where the provider listens
   * @param additions what it adds in each call
   * @param payloadBytes how much a call carries, both ways
   * @param patience how long a call may take
   */
  public ClientTarget(Use use, int port, int additions, int payloadBytes, Duration patience) {
    this.use = use;
    this.port = port;
    this.call = new EchoCall(additions, ByteBuffer.wrap(new byte[payloadBytes]));
    this.patience = patience;
    this.connections = new Connections(port);
  }

  @Override
  public int call() throws IOException {
    try {
      switch (use) {
        case SHARED -> shared();
        case LOCKED -> locked();
        case POOLED -> pooled();
      }
      return OK;
    } catch (TException | RuntimeException failed) {
      throw new IOException(kind(failed), failed);
    }
  }

  /** In kinds, for each message names other numbers. */
  private static String kind(Exception failed) {
    if (failed instanceof TApplicationException error) {
      return error.getType() == TApplicationException.BAD_SEQUENCE_ID
          ? OUT_OF_SEQUENCE
          : "another reply";
    }
    return failed instanceof TTransportException
        ? "broken connection, or no reply in time"
        : "unreadable reply";
  }

  private void shared() throws TException {
    EchoClient known = client;
    EchoClient any = known == null ? connect(null) : known;
    try {
      echo(any);
    } catch (TException | RuntimeException broken) {
      EchoClient unused = connect(any);
      throw broken;
    }
  }

  private synchronized void locked() throws TException {
    EchoClient known = client;
    EchoClient own = known == null ? connect(null) : known;
    try {
      echo(own);
    } catch (TException | RuntimeException broken) {
      EchoClient unused = connect(own);
      throw broken;
    }
  }

  private void pooled() throws TException {
    Lease lease = connections.lease(patience);
    inUse.add(lease);
    try {
      echo(lease.client());
      lease.giveBack();
    } finally {
      lease.breakOff();
      inUse.remove(lease);
    }
  }

  private void echo(EchoClient one) throws TException {
    Echoed unused = one.echo(new EchoCall(call.additions(), call.payload().duplicate()), patience);
  }

  /** A new one in place of this, or the one that another thread has connected since. */
  private synchronized EchoClient connect(@Nullable EchoClient broken) throws TException {
    if (closed) {
      throw new TTransportException("the load has ended");
    }
    EchoClient known = client;
    if (known != null && known != broken) {
      return known;
    }
    if (known != null) {
      known.close();
    }
    EchoClient connected = EchoClient.connect(port, patience);
    client = connected;
    return connected;
  }

  /** There is no such client here: the load is one of threads. */
  @Override
  public CompletionStage<Integer> callAsync() {
    return CompletableFuture.failedFuture(
        new IOException("a Thrift client waits, expected an engine of threads"));
  }

  @Override
  public void close() {
    EchoClient known = client;
    if (known != null) {
      // not under the lock, which a call may hold until it is broken off
      known.close();
    }
    inUse.forEach(Lease::breakOff);
    connections.closeIdle();
    synchronized (this) {
      closed = true;
    }
  }
}
