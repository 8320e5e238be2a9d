// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.consumer;

import dev.tenrec.core.work.Canceller;
import dev.tenrec.field.thrift.wire.EchoCall;
import dev.tenrec.field.thrift.wire.Echoed;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.thrift.TException;
import org.apache.thrift.transport.TTransportException;

/**
 * Calls the provider, as clients are often written: with a time-out on the socket, and again on a
 * new connection if that came, or the connection broke. Thread-safe.
 */
final class Caller {

  private final Connections connections;
  private final EchoCall call;
  private final Duration patience;
  private final int mostAttempts;
  private final LongAdder attempts = new LongAdder();
  private final LongAdder succeeded = new LongAdder();

  /**
   * A caller.
   *
   * @param call what it asks for, each time
   * @param patience how long one attempt may take, and how long it may take to connect
   * @param mostAttempts how often it tries, at least once
   */
  Caller(Connections connections, EchoCall call, Duration patience, int mostAttempts) {
    this.connections = connections;
    this.call = call;
    this.patience = patience;
    this.mostAttempts = mostAttempts;
  }

  /**
   * Calls, and waits.
   *
   * @param remaining how much time is left
   * @param onCancel gets what breaks it off
   */
  Echoed call(Supplier<Duration> remaining, Consumer<Canceller> onCancel) throws TException {
    for (int attempt = 1; ; attempt++) {
      try {
        return attempt(patienceOf(remaining), onCancel);
      } catch (TTransportException broken) {
        if (attempt == mostAttempts || remaining.get().isZero()) {
          throw broken;
        }
      }
    }
  }

  private Echoed attempt(Duration patience, Consumer<Canceller> onCancel) throws TException {
    Lease lease = connections.lease(patience);
    onCancel.accept(lease::breakOff);
    attempts.increment();
    try {
      // a buffer has a position, which is its reader's
      Echoed echoed =
          lease.client().echo(new EchoCall(call.additions(), call.payload().duplicate()), patience);
      succeeded.increment();
      lease.giveBack();
      return echoed;
    } finally {
      lease.breakOff();
    }
  }

  private Duration patienceOf(Supplier<Duration> remaining) {
    Duration left = remaining.get();
    return left.compareTo(patience) < 0 ? left : patience;
  }

  /** Calls that went out to the provider, each attempt one. */
  long attempts() {
    return attempts.sum();
  }

  /** Those that were answered. */
  long succeeded() {
    return succeeded.sum();
  }
}
