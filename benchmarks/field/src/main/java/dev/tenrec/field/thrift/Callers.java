// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.load.engine.Target;
import dev.tenrec.field.load.http.HttpTarget;
import dev.tenrec.field.load.http.LoopbackAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls all consumers in turn. Thread-safe. */
final class Callers implements Target {

  private static final int ASYNC_THREADS = 2;

  private final List<HttpTarget> consumers = new ArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();

  Callers(List<Integer> ports, Duration timeout) {
    for (int port : ports) {
      LoopbackAddress address = LoopbackAddress.of("http://127.0.0.1:" + port + "/echo");
      consumers.add(new HttpTarget(address, timeout, ASYNC_THREADS));
    }
  }

  private HttpTarget next() {
    return consumers.get(Math.floorMod(turn.getAndIncrement(), consumers.size()));
  }

  @Override
  public int call() throws IOException {
    return next().call();
  }

  @Override
  public CompletionStage<Integer> callAsync() {
    return next().callAsync();
  }

  @Override
  public void close() throws IOException {
    for (HttpTarget consumer : consumers) {
      consumer.close();
    }
  }
}
