// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config.archaius;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What has to be looked at, because it reports no change: the system properties and the file. Not
 * thread-safe; {@link ArchaiusSource} looks without holding up those that only read or set values.
 */
final class PolledLayers {

  private final @Nullable WatchedFile file;
  private final Respelled respelled;

  PolledLayers(@Nullable Path path, Respelled respelled) {
    this.file = path == null ? null : new WatchedFile(path, respelled);
    this.respelled = respelled;
  }

  /**
   * What a look found.
   *
   * @param system the system properties, all of them: one of ours may refer to any
   * @param file the values of the file
   * @param settled false if the file is being changed, so that another look is due soon
   */
  record Look(Map<String, String> system, Map<String, String> file, boolean settled) {}

  /**
   * Looks once.
   *
   * @param trust whether to take the file as it is, without a second look
   */
  Look look(boolean trust) {
    if (file == null) {
      return new Look(system(), Map.of(), true);
    }
    WatchedFile.Look found = file.look(trust);
    return new Look(system(), found.values(), found.settled());
  }

  private Map<String, String> system() {
    Properties properties = System.getProperties();
    Map<String, String> values = new HashMap<>();
    for (String key :
        properties.stringPropertyNames()) { // a copy, so no thread changes it meanwhile
      String value = properties.getProperty(key);
      if (value != null) {
        values.put(key, value);
      }
    }
    return respelled.of(values);
  }
}
