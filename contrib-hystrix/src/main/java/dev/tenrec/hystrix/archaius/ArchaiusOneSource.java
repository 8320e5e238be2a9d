// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.archaius;

import com.netflix.config.ConfigurationManager;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.Subscription;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.commons.configuration.AbstractConfiguration;
import org.apache.commons.configuration.event.ConfigurationListener;

/**
 * The properties of Archaius 1's {@code ConfigurationManager}, live: what is set there counts when
 * {@code setProperty} returns. It has the system properties, too. The commands of {@code
 * dev.tenrec.hystrix} use it by themselves where Archaius 1 is on the class path; another Tenrec is
 * given it by {@code builder.prefix("hystrix").source(ArchaiusOneSource.open())}. Thread-safe.
 */
public final class ArchaiusOneSource implements SettingsSource {

  private final AbstractConfiguration configuration;

  private ArchaiusOneSource(AbstractConfiguration configuration) {
    this.configuration = configuration;
  }

  /** Whether Archaius 1 is on the class path. */
  public static boolean isPresent() {
    try {
      Class<?> unused =
          Class.forName(
              "com.netflix.config.ConfigurationManager",
              false,
              ArchaiusOneSource.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError absent) {
      return false;
    }
  }

  /** The configuration that is installed, or Archaius's own if none is. */
  public static ArchaiusOneSource open() {
    return new ArchaiusOneSource(ConfigurationManager.getConfigInstance());
  }

  @Override
  public Map<String, String> values(String prefix) {
    Map<String, String> values = new HashMap<>();
    for (Iterator<?> keys = configuration.getKeys(prefix); keys.hasNext(); ) {
      String key = String.valueOf(keys.next());
      Object value = configuration.getProperty(key);
      if (value != null) { // else removed meanwhile
        // a text may have ${..}, which getString resolves; it refuses a number
        values.put(
            key, value instanceof String ? configuration.getString(key) : String.valueOf(value));
      }
    }
    return values;
  }

  @Override
  public Subscription subscribe(Runnable onChange) {
    ConfigurationListener listener =
        event -> {
          if (!event.isBeforeUpdate()) {
            onChange.run();
          }
        };
    configuration.addConfigurationListener(listener);
    return () -> {
      boolean unused = configuration.removeConfigurationListener(listener);
    };
  }

  /** Does nothing: the configuration is the application's. */
  @Override
  public void close() {}
}
