// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.consumer;

import dev.tenrec.field.load.FileHandles;
import dev.tenrec.field.thrift.process.GaugeReporter;
import dev.tenrec.field.thrift.wire.EchoCall;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** A consumer in a JVM of its own. It ends with its standard input. */
public final class ConsumerMain {

  private ConsumerMain() {}

  /**
   * Runs it.
   *
   * @param arguments what {@link ConsumerSettings#arguments} made
   */
  public static void main(String[] arguments) {
    GaugeReporter.quietThrift();
    GaugeReporter.run("consumer", () -> start(ConsumerSettings.of(arguments)));
  }

  private static GaugeReporter.Program start(ConsumerSettings settings) throws Exception {
    FileHandles.requireFor(settings.mostCallers() + 2L * settings.threads());
    byte[] payload = new byte[settings.payloadBytes()];
    new Random(1).nextBytes(payload);
    Duration timeout = Duration.ofMillis(settings.timeoutMillis());
    Connections connections = new Connections(settings.providerPort());
    Caller caller =
        new Caller(
            connections,
            new EchoCall(settings.additions(), ByteBuffer.wrap(payload)),
            timeout,
            settings.attempts());
    Route route = route(settings, caller, timeout);
    Consumer consumer = Consumer.open(settings.threads(), route);
    return new GaugeReporter.Program(
        consumer.port(),
        () -> {
          Map<String, Long> gauges = new LinkedHashMap<>(consumer.gauges());
          gauges.put("succeeded", caller.succeeded());
          gauges.put("attempts", caller.attempts());
          gauges.put("opened", connections.opened());
          gauges.putAll(route.gauges());
          return gauges;
        },
        consumer);
  }

  private static Route route(ConsumerSettings settings, Caller caller, Duration timeout) {
    Strategy strategy = settings.strategy();
    if (strategy != null) {
      return Guarded.attempting(caller, strategy, settings.threads(), timeout);
    }
    return settings.permits() > 0
        ? Guarded.limited(caller, settings.permits(), settings.circuit(), timeout)
        : new Direct(caller);
  }
}
