// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.core.config.EffectiveSetting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The hash of all settings in force: equal on instances whose commands go by the same. A command
 * has some fifty settings, and a change concerns few commands: only what has changed since the last
 * time is hashed anew. Of one thread.
 */
final class EffectiveHash {

  /** Of thousands of commands, most values are a few ones. */
  private static final int MOST_WORDS = 10_000;

  /** Of each command, pool and so on, by its scope and key, as it was the last time. */
  private Map<String, Part> parts = Map.of();

  /** Each text that is kept, once. */
  private final Map<String, String> words = new HashMap<>();

  /** Of one command or pool, properties and values in turn, and their hash. */
  private record Part(List<String> texts, String hash) {

    boolean isOf(List<EffectiveSetting> now) {
      if (texts.size() != 2 * now.size()) {
        return false;
      }
      for (int i = 0; i < now.size(); i++) {
        EffectiveSetting is = now.get(i);
        if (!texts.get(2 * i).equals(is.property())
            || !texts.get(2 * i + 1).equals(String.valueOf(is.value()))) {
          return false;
        }
      }
      return true;
    }
  }

  /** Hashes these, in whatever order commands and pools come. */
  String of(List<EffectiveSetting> effective) {
    Map<String, Part> now = new HashMap<>();
    Map<String, String> hashes = new HashMap<>();
    split(effective)
        .forEach(
            (name, settings) -> {
              Part known = parts.get(name);
              Part part = known != null && known.isOf(settings) ? known : part(settings);
              now.put(name, part);
              hashes.put(name, part.hash());
            });
    parts = now;
    return Digest.of(hashes);
  }

  /** Those of one command or pool come one after the other, mostly. */
  private static Map<String, List<EffectiveSetting>> split(List<EffectiveSetting> effective) {
    Map<String, List<EffectiveSetting>> split = new HashMap<>();
    EffectiveSetting before = null;
    List<EffectiveSetting> own = List.of();
    for (EffectiveSetting setting : effective) {
      if (before == null
          || !before.key().equals(setting.key())
          || !before.scope().equals(setting.scope())) {
        own =
            split.computeIfAbsent(setting.scope() + "." + setting.key(), name -> new ArrayList<>());
      }
      own.add(setting);
      before = setting;
    }
    return split;
  }

  private Part part(List<EffectiveSetting> settings) {
    if (words.size() > MOST_WORDS) {
      words.clear();
    }
    List<String> texts = new ArrayList<>(2 * settings.size());
    Map<String, String> values = new HashMap<>();
    for (EffectiveSetting setting : settings) {
      String property = once(setting.property());
      String value = once(String.valueOf(setting.value()));
      texts.add(property);
      texts.add(value);
      values.put(property, value);
    }
    return new Part(texts, Digest.of(values));
  }

  private String once(String text) {
    String known = words.putIfAbsent(text, text);
    return known == null ? text : known;
  }
}
