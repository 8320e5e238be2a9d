// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config.archaius;

import com.netflix.archaius.api.Config;
import com.netflix.archaius.config.DefaultConfigListener;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A config of the application's, listened to and copied. Held strongly, as its own listeners on its
 * layers are weak.
 */
final class ForeignConfig extends DefaultConfigListener implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ForeignConfig.class);

  private final Config config;
  private final Respelled respelled;
  private final MapConfigLayer layer;
  private final Consumer<ForeignConfig> onChange;

  /** Does not listen yet. */
  ForeignConfig(Config config, Respelled respelled, Consumer<ForeignConfig> onChange) {
    this.config = config;
    this.respelled = respelled;
    this.layer = new MapConfigLayer("tenrec-copy-of-" + config.getName());
    this.onChange = onChange;
  }

  MapConfigLayer layer() {
    return layer;
  }

  void listen() {
    config.addListener(this);
  }

  /** Returns whether there was something new. */
  boolean copy() {
    return layer.replace(respelled.of(Texts.startingWith("", config)));
  }

  @Override
  public void onConfigAdded(Config added) {
    onChange.accept(this);
  }

  @Override
  public void onConfigRemoved(Config removed) {
    onChange.accept(this);
  }

  @Override
  public void onConfigUpdated(Config updated) {
    onChange.accept(this);
  }

  @Override
  public void onError(Throwable error, Config failed) {
    LOG.warn("The config {} failed to update; its last values stay", config.getName(), error);
  }

  /** Throws nothing: there are others to be left. */
  @Override
  public void close() {
    try {
      config.removeListener(this);
    } catch (RuntimeException | Error thrown) {
      LOG.error("The config {} does not let go of its listener", config.getName(), thrown);
    }
  }
}
