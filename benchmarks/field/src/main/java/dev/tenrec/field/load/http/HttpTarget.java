// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.http;

import dev.tenrec.field.load.engine.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request to one address, again and again. Thread-safe. */
public final class HttpTarget implements Target {

  private final HttpAddress address;
  private final Request request;
  private final Duration timeout;
  private final int asyncThreads;
  private final Consumer<String> headers;
  private final BlockingHttp blocking;

  /** Made when it is first needed, for it has threads. Written under the lock, read by all. */
  private volatile @Nullable AsyncHttp async;

  /** Written and read under the lock. */
  private boolean closed;

  /**
   * A GET. Nothing is sent yet.
   *
   * @param timeout how long a call may take before it fails
   * @param asyncThreads how many threads serve all calls that do not block
   */
  public HttpTarget(HttpAddress address, Duration timeout, int asyncThreads) {
    this(address, Request.GET, timeout, asyncThreads, line -> {});
  }

  /**
   * Nothing is sent yet.
   *
   * @param request what each call sends
   * @param timeout how long a call may take before it fails
   * @param asyncThreads how many threads serve all calls that do not block
   * @param headers gets each header of each reply, "Name: value", before the call ends, on
   *     whichever thread reads it
   */
  public HttpTarget(
      HttpAddress address,
      Request request,
      Duration timeout,
      int asyncThreads,
      Consumer<String> headers) {
    this.headers = headers;
    this.request = request;
    this.address = address;
    this.timeout = timeout;
    this.asyncThreads = asyncThreads;
    this.blocking = new BlockingHttp(address, request, timeout, headers);
  }

  @Override
  public int call() throws IOException {
    return blocking.send();
  }

  @Override
  public CompletableFuture<Integer> callAsync() {
    AsyncHttp known = async;
    try {
      return (known == null ? makeAsync() : known).send();
    } catch (IOException impossible) {
      return CompletableFuture.failedFuture(impossible);
    }
  }

  private synchronized AsyncHttp makeAsync() throws IOException {
    AsyncHttp known = async;
    if (closed) {
      throw new IOException("the load has ended");
    }
    if (known == null) {
      known = new AsyncHttp(address, request, timeout, asyncThreads, headers);
      async = known;
    }
    return known;
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    try (AsyncHttp known = async) {
      blocking.close();
    }
  }
}
