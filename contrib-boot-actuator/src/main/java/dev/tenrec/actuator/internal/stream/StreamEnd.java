// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal.stream;

import org.springframework.context.SmartLifecycle;

/**
 * Ends the streams before a server that shuts down gracefully begins to wait for them, which never
 * end by themselves. Of the default phase, which stops first.
 */
public final class StreamEnd implements SmartLifecycle {

  private final Runnable close;

  /** Written by the context's thread, read by any thread, ordered by volatile access. */
  private volatile boolean running;

  /** Of the streams that this closes. */
  public StreamEnd(Runnable close) {
    this.close = close;
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    close.run();
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
