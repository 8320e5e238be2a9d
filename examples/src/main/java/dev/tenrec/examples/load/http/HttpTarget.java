// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.load.http;

import dev.tenrec.examples.load.engine.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A GET of one address. Thread-safe. */
public final class HttpTarget implements Target {

  private final BlockingHttp blocking;
  private final AsyncHttp async;

  /**
   * Nothing is sent yet.
   *
   * @param timeout how long a call may take before it fails
   * @param asyncThreads how many threads serve all calls that do not block
   */
  public HttpTarget(LoopbackAddress address, Duration timeout, int asyncThreads)
      throws IOException {
    this.blocking = new BlockingHttp(address, timeout);
    this.async = new AsyncHttp(address, timeout, asyncThreads);
  }

  @Override
  public int call() throws IOException {
    return blocking.get();
  }

  @Override
  public CompletableFuture<Integer> callAsync() {
    return async.get();
  }

  @Override
  public void close() throws IOException {
    try (blocking;
        async) {
      // both, whatever the first throws
    }
  }
}
