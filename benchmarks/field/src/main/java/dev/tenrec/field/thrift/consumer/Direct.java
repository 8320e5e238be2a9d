// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.consumer;

import java.time.Duration;
import java.util.Map;
import org.apache.thrift.TException;

/** Without a command: each request's thread calls for itself. */
final class Direct implements Route {

  private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

  private final Caller caller;

  Direct(Caller caller) {
    this.caller = caller;
  }

  @Override
  public Reply call() {
    try {
      return new Reply(ANSWERED, "sum " + caller.call(() -> FOR_EVER, canceller -> {}).sum());
    } catch (TException failed) {
      return new Reply(FAILED, String.valueOf(failed.getMessage()));
    }
  }

  @Override
  public Map<String, Long> gauges() {
    return Map.of();
  }

  @Override
  public void close() {}
}
