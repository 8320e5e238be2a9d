// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config.archaius;

import com.netflix.archaius.Layers;
import com.netflix.archaius.api.Config;
import com.netflix.archaius.api.Layer;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Describes an {@link ArchaiusSource}. Not thread-safe. */
public final class ArchaiusSourceBuilder {

  @Nullable Path file;
  @Nullable RemoteLayer remote;
  final List<Placed> configs = new ArrayList<>();
  Map<String, String> base = Map.of();
  UnaryOperator<String> spelling = UnaryOperator.identity();
  Ticker ticker = Ticker.system();
  Waiter waiter = Waiter.system();
  @Nullable ThreadFactory threads;

  ArchaiusSourceBuilder() {}

  /** A config of the application's, and where it belongs. */
  record Placed(Layer layer, Config config) {}

  /**
   * A {@code .properties} file in UTF-8 to watch. It may come and go: not there, it has no values.
   * What is no regular file, larger than 64 MB, or not to be parsed is logged as a warning, and has
   * the values it had before. None by default.
   */
  public ArchaiusSourceBuilder file(Path path) {
    file = Objects.requireNonNull(path, "path");
    return this;
  }

  /**
   * A config of the application's as the weakest layer. It is listened to, not changed; the source
   * holds it until it is closed.
   */
  public ArchaiusSourceBuilder config(Config config) {
    return config(Layers.DEFAULT, config);
  }

  /**
   * A config of the application's at a layer of its choice; within one layer the config added last
   * is the strongest.
   */
  public ArchaiusSourceBuilder config(Layer layer, Config config) {
    configs.add(
        new Placed(
            Objects.requireNonNull(layer, "layer"), Objects.requireNonNull(config, "config")));
    return this;
  }

  /**
   * Settings that come from elsewhere, below memory and above the system properties. Closing the
   * new source ends its subscription, and does not close {@code source}. None by default.
   *
   * @param prefix what the keys begin with that are taken over, without the dot that follows it
   * @param source followed on the thread that brings a change; what it throws is logged, and leaves
   *     its last values
   */
  public ArchaiusSourceBuilder remote(String prefix, SettingsSource source) {
    remote =
        new RemoteLayer(
            Objects.requireNonNull(prefix, "prefix"), Objects.requireNonNull(source, "source"));
    return this;
  }

  /**
   * Values that change by {@link ArchaiusSource#replaceBase} only, in the weakest layer and below
   * the application's configs in it. None by default.
   */
  public ArchaiusSourceBuilder base(Map<String, String> values) {
    base = Map.copyOf(values);
    return this;
  }

  /**
   * The one key for all ways in which the key of a property may be written; applied to the keys of
   * all layers. Where a layer has several ways to write one key, the key itself counts over the
   * others. By default each key counts as it is written.
   */
  public ArchaiusSourceBuilder spelling(UnaryOperator<String> spelling) {
    this.spelling = Objects.requireNonNull(spelling, "spelling");
    return this;
  }

  /**
   * The time by which system properties and file are looked at each second. The system's by
   * default.
   */
  public ArchaiusSourceBuilder time(Ticker ticker, Waiter waiter) {
    this.ticker = Objects.requireNonNull(ticker, "ticker");
    this.waiter = Objects.requireNonNull(waiter, "waiter");
    return this;
  }

  /** Makes the one thread that looks; should make it a daemon. Has to be given. */
  public ArchaiusSourceBuilder threads(ThreadFactory threads) {
    this.threads = Objects.requireNonNull(threads, "threads");
    return this;
  }

  /**
   * Takes the first look, and starts to watch.
   *
   * @throws NullPointerException if no thread factory was given
   */
  public ArchaiusSource start() {
    return ArchaiusSource.start(
        this,
        Objects.requireNonNull(
            threads, "threads(..) was not called: no thread looks at system properties and file"));
  }
}
