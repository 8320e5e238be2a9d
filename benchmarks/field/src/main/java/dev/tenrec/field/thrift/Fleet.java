// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.kit.RunClock;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.thrift.consumer.ConsumerMain;
import dev.tenrec.field.thrift.consumer.ConsumerSettings;
import dev.tenrec.field.thrift.process.GaugeReader;
import dev.tenrec.field.thrift.process.Sample;
import dev.tenrec.field.thrift.provider.ProviderMain;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A provider and its consumers, each in a JVM of its own. */
final class Fleet implements AutoCloseable {

  private static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();

  private static final long STOPPED_PATIENCE_NANOS = Duration.ofSeconds(4).toNanos();

  /** Counts that stand still for so long have come to their end. */
  private static final int STILL_SAMPLES = 4;

  private final GaugeReader provider;
  private final List<GaugeReader> consumers = new ArrayList<>();

  private Fleet(GaugeReader provider) {
    this.provider = provider;
  }

  static Fleet start(Setup setup, Form form, int port) throws IOException, InterruptedException {
    Fleet fleet =
        new Fleet(
            GaugeReader.start(
                "provider",
                Form.PROVIDER_HEAP_MEGABYTES,
                ProviderMain.class,
                List.of(Integer.toString(port))));
    try {
      fleet.provider.awaitListening();
      ConsumerSettings settings =
          new ConsumerSettings(
              fleet.provider.port(),
              setup.payloadBytes(),
              form.additions(),
              setup.threads(),
              setup.around().isLimited() ? setup.permits() : 0,
              setup.around() == Guard.FULL,
              form.callMillis(),
              setup.attempts(),
              form.mostCallers(),
              setup.around().strategy());
      for (int number = 1; number <= setup.consumers(); number++) {
        fleet.consumers.add(
            GaugeReader.start(
                "consumer",
                Form.CONSUMER_HEAP_MEGABYTES,
                ConsumerMain.class,
                settings.arguments()));
      }
      for (GaugeReader consumer : fleet.consumers) {
        consumer.awaitListening();
      }
      return fleet;
    } catch (IOException | InterruptedException | RuntimeException failed) {
      fleet.close();
      throw failed;
    }
  }

  /** Where the consumers listen. */
  List<Integer> ports() {
    return consumers.stream().map(GaugeReader::port).toList();
  }

  List<Sample> providerSamples() {
    return provider.samples();
  }

  /** What all consumers say of this together, of late. */
  long consumers(String gauge) {
    return consumers.stream().mapToLong(consumer -> consumer.last().value(gauge)).sum();
  }

  long provider(String gauge) {
    return provider.last().value(gauge);
  }

  /** A provider may die of its load. A consumer may not: it has the room it needs. */
  boolean isProviderAlive() {
    return provider.isAlive();
  }

  void requireConsumers() throws IOException, InterruptedException {
    for (GaugeReader consumer : consumers) {
      consumer.requireAlive();
    }
  }

  /**
   * Waits until nobody has anything left to do.
   *
   * @return whether that came in time
   */
  boolean awaitQuiet(Duration patience, Stop stop) throws IOException, InterruptedException {
    RunClock clock = new RunClock();
    while (!isQuiet()) {
      requireConsumers();
      if (clock.nanos() > (stop.asked() ? STOPPED_PATIENCE_NANOS : patience.toNanos())) {
        return false;
      }
      clock.awaitNanos(clock.nanos() + LOOK_NANOS);
    }
    return true;
  }

  private boolean isQuiet() {
    return (!isProviderAlive() || stands(provider, "begun", "done"))
        && consumers.stream().allMatch(Fleet::isIdle);
  }

  private static boolean isIdle(GaugeReader consumer) {
    Sample last = consumer.last();
    return last.value("received")
            == last.value("answered") + last.value("refused") + last.value("failed")
        && last.value("command.inFlight") == 0
        && last.value("command.stillBusy") == 0
        && stands(consumer, "received", "attempts", "succeeded");
  }

  /** Whether nothing waits, and these have not changed of late. */
  private static boolean stands(GaugeReader reader, String... gauges) {
    List<Sample> samples = reader.samples();
    if (samples.size() < STILL_SAMPLES) {
      return false;
    }
    Sample last = samples.get(samples.size() - 1);
    Sample before = samples.get(samples.size() - STILL_SAMPLES);
    for (String gauge : gauges) {
      if (last.value(gauge) != before.value(gauge)) {
        return false;
      }
    }
    return last.value("queued") == 0 && last.value("begun") == last.value("done");
  }

  @Override
  public void close() {
    // all at once, for each has its time to end
    consumers.forEach(GaugeReader::stop);
    consumers.forEach(GaugeReader::close);
    provider.close();
  }
}
