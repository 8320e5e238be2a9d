// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.Subscription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** A source in memory, for tests of what stands above sources. */
final class MapSource implements SettingsSource {

  private final Map<String, String> values = new HashMap<>();
  private final List<Runnable> subscribers = new CopyOnWriteArrayList<>();

  MapSource set(String key, String value) {
    return set(Map.of(key, value));
  }

  MapSource set(Map<String, String> more) {
    synchronized (values) {
      values.putAll(more);
    }
    subscribers.forEach(Runnable::run);
    return this;
  }

  MapSource clear(String... keys) {
    synchronized (values) {
      List.of(keys).forEach(values::remove);
    }
    subscribers.forEach(Runnable::run);
    return this;
  }

  int subscribers() {
    return subscribers.size();
  }

  @Override
  public Map<String, String> values(String prefix) {
    synchronized (values) {
      return values.entrySet().stream()
          .filter(entry -> entry.getKey().startsWith(prefix + "."))
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }
  }

  @Override
  public Subscription subscribe(Runnable onChange) {
    subscribers.add(onChange);
    return () -> subscribers.remove(onChange);
  }

  @Override
  public void close() {}
}
