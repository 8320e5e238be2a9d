// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.boot;

import dev.tenrec.annotations.internal.declaration.FaultRules;
import dev.tenrec.annotations.internal.declaration.StartUpSettings;
import dev.tenrec.annotations.internal.spring.DeclaredKeys;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.config.Spelling;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * What Spring's environment says below Tenrec's prefix: the properties of core, by the one spelling
 * of their keys, and the settings that only commands of annotations have. Thread-safe.
 */
public final class EnvironmentSettings implements StartUpSettings {

  private static final Logger LOG = LoggerFactory.getLogger(EnvironmentSettings.class);

  private final ConfigurableEnvironment environment;
  private final String prefix;
  private final BeanFactory beans;
  private final Supplier<DeclaredKeys> keys;
  private final Consumer<String> complaints;
  private final Spelling spelling;

  /**
   * Written by the thread that reads the environment, read by threads that build commands, ordered
   * by volatile access.
   */
  private volatile @Nullable Read read;

  /**
   * Whether a Tenrec goes by the properties. Written by the thread that makes it, read by threads
   * that read again, ordered by volatile access.
   */
  private volatile boolean given;

  /** Counts the changes that were to be read, by the threads that heard of them. */
  private final AtomicLong changes = new AtomicLong();

  /** Once read: the properties of core, and the other settings, both by full key. */
  private record Read(Map<String, String> properties, Map<String, String> others) {}

  /**
   * Over an environment, which is not read yet.
   *
   * @param prefix what keys begin with, without a dot at its end
   * @param beans has the predicates that settings name
   * @param keys those that annotations name; asked once a reading at most
   * @param complaints receives the reason why a variable is not used
   */
  public EnvironmentSettings(
      ConfigurableEnvironment environment,
      String prefix,
      BeanFactory beans,
      Supplier<DeclaredKeys> keys,
      Consumer<String> complaints) {
    this.environment = environment;
    this.prefix = prefix;
    this.beans = beans;
    this.keys = keys;
    this.complaints = complaints;
    this.spelling = new Spelling(prefix);
  }

  /** What keys begin with, without a dot at its end. */
  public String prefix() {
    return prefix;
  }

  /** The keys that annotations name. */
  DeclaredKeys keys() {
    return keys.get();
  }

  /** The properties of core, by full key, for the Tenrec that is to go by them from now on. */
  public Map<String, String> give() {
    given = true;
    return read().properties;
  }

  /** Whether there are properties of core, and no Tenrec goes by them. */
  boolean areUnused() {
    return !given && !read().properties.isEmpty();
  }

  /** The settings that are not core's, by full key. */
  Map<String, String> others() {
    return read().others;
  }

  /**
   * Reads the environment again, and has the Tenrec take over what it found; not one that the
   * application made, which did not get these properties before either. Where the environment
   * changes meanwhile, on any thread, the last to be taken over is what it says then. Waits for no
   * other thread: listeners of settings run within.
   */
  void readAgain(Tenrec tenrec) {
    long last = changes.incrementAndGet();
    long before;
    do {
      before = last;
      readOnce(tenrec);
      last = changes.get();
    } while (last != before);
  }

  private void readOnce(Tenrec tenrec) {
    Read again = readEnvironment();
    read = again;
    if (given) {
      try {
        tenrec.replaceBaseProperties(again.properties);
      } catch (IllegalStateException e) { // a customizer gave it a source of its own
        LOG.debug("The environment's settings stay as they were", e);
      }
    }
  }

  @Override
  public @Nullable Written find(String key, String name) {
    String property = prefix + ".command." + key + "." + name;
    String value = others().get(property);
    return value == null ? null : new Written(property, value);
  }

  @Override
  public @Nullable Object bean(String name) {
    return beans.containsBean(name) ? beans.getBean(name) : null;
  }

  private Read read() {
    Read present = read;
    if (present == null) {
      present = readEnvironment();
      read = present;
    }
    return present;
  }

  private Read readEnvironment() {
    EnvironmentVariables variables = new EnvironmentVariables(prefix, keys, complaints);
    Map<String, String> properties = new TreeMap<>();
    Map<String, String> others = new TreeMap<>();
    EnvironmentProperties.of(environment, prefix + ".", this::spelt, variables)
        .forEach((key, value) -> (isOther(key) ? others : properties).put(key, value));
    return new Read(Map.copyOf(properties), Map.copyOf(others));
  }

  private String spelt(String written) {
    String key = spelling.apply(written);
    if (key.startsWith(prefix + ".command.")) {
      int dot = key.lastIndexOf('.');
      for (String name : FaultRules.NAMES) {
        if (isNamed(key.substring(dot + 1), name)) {
          return key.substring(0, dot + 1) + name;
        }
      }
    }
    return key;
  }

  private static boolean isNamed(String written, String name) {
    String plain = written.replace("-", "").replace("_", "");
    return plain.toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT));
  }

  private boolean isOther(String key) {
    return key.startsWith(prefix + ".command.")
        && FaultRules.NAMES.stream().anyMatch(name -> key.endsWith("." + name));
  }
}
