// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config.archaius;

import com.netflix.archaius.api.Layer;
import dev.tenrec.core.config.SettingOrigin;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.SourceStatus;
import dev.tenrec.core.config.Subscription;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settings from elsewhere as a layer: a copy of what another source has, between memory and the
 * system properties.
 */
final class RemoteLayer implements AutoCloseable {

  /** Archaius's own remote layer loses to system properties, which an operator cannot reach. */
  static final Layer PLACE = Layer.of("TENREC_REMOTE", 250);

  private static final Logger LOG = LoggerFactory.getLogger(RemoteLayer.class);

  private final String prefix;
  private final SettingsSource source;
  private final MapConfigLayer layer = new MapConfigLayer("tenrec-remote");

  /**
   * The source's keys by their one spelling. Written under the lock of the source that this is a
   * layer of, read by any thread, ordered by volatile access; never changed once it is here.
   */
  private volatile Map<String, String> writtenKeys = Map.of();

  /** Written once, before another thread has the source that this is a layer of. */
  private Subscription subscription = () -> {};

  RemoteLayer(String prefix, SettingsSource source) {
    this.prefix = prefix;
    this.source = source;
  }

  MapConfigLayer layer() {
    return layer;
  }

  void listen(Runnable onChange) {
    subscription = source.subscribe(onChange);
  }

  /** Returns whether there was something new. A source that fails leaves what there was. */
  boolean copy(Respelled respelled) {
    Map<String, String> values = new HashMap<>();
    try {
      source
          .values(prefix)
          .forEach(
              (key, value) -> {
                if (key != null && value != null) {
                  values.put(key, value);
                }
              });
    } catch (RuntimeException | Error thrown) {
      LOG.error("The remote source of settings failed; its last values stay", thrown);
      return false;
    }
    writtenKeys = respelled.writtenKeys(values.keySet());
    return layer.replace(respelled.of(values));
  }

  /** See {@link SettingsSource#origin}; null also where this layer has another value. */
  @Nullable SettingOrigin origin(String key, @Nullable String value) {
    return Objects.equals(value, layer.values().get(key))
        ? source.origin(writtenKeys.getOrDefault(key, key), value)
        : null;
  }

  @Nullable SourceStatus status() {
    return source.status();
  }

  @Override
  public void close() {
    subscription.close();
  }
}
