// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal.stream;

import dev.tenrec.hystrix.stream.HystrixStream;
import org.springframework.context.SmartLifecycle;

/**
 * Ends the streams before a server that shuts down gracefully begins to wait for them, which never
 * end by themselves. Of the default phase, which stops first.
 */
final class StreamEnd implements SmartLifecycle {

  private final HystrixStream stream;

  /** Written by the context's thread, read by any. */
  private volatile boolean running;

  StreamEnd(HystrixStream stream) {
    this.stream = stream;
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    stream.close();
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
