// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import dev.tenrec.core.internal.batch.CollapserRuntime;
import dev.tenrec.core.internal.config.CodeSettings;
import dev.tenrec.core.internal.config.CollapserSettings;
import dev.tenrec.core.internal.config.Configuration;
import dev.tenrec.core.internal.config.LiveSettings;
import dev.tenrec.core.view.CollapserDetails;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The collapsers one {@link Registry} knows by key. Changed under the configuration's lock only,
 * read by any thread.
 */
public final class Collapsers {

  /** One collapser key, and the command its batches run as. */
  public record Entry(
      CollapserRuntime runtime,
      LiveSettings<CollapserSettings> settings,
      CodeSettings code,
      Registry.Entry command,
      CollapserDetails view) {}

  private final Configuration configuration;
  private final Inventory inventory;
  private final Map<String, Entry> collapsers = new ConcurrentHashMap<>();

  /**
   * Those over a command, nearly always one. Read and written under the configuration's lock only.
   */
  private final IdentityHashMap<Registry.Entry, List<Entry>> ofCommand = new IdentityHashMap<>();

  Collapsers(Configuration configuration, Inventory inventory) {
    this.configuration = configuration;
    this.inventory = inventory;
  }

  /** The collapser over this command, made now if there is none. Under the configuration's lock. */
  Entry collapser(String key, CodeSettings code, Registry.Entry command) {
    Entry present = collapsers.get(key);
    if (present != null && present.command.runtime() != command.runtime()) {
      throw overAnother(key, present, command.runtime().key());
    }
    if (present == null) {
      return make(key, code, command);
    }
    if (!present.code.equals(code)) {
      throw new IllegalStateException(
          "collapser "
              + key
              + " was built before with other settings: "
              + present.code
              + ", now "
              + code);
    }
    return present;
  }

  /**
   * The same for a command that is not made yet. Under the configuration's lock.
   *
   * @throws IllegalArgumentException if there can be no such collapser
   * @throws IllegalStateException if there is one over another command
   */
  void check(String key, CodeSettings code, String commandKey) {
    configuration.checkCollapser(key, code);
    Entry present = collapsers.get(key);
    if (present != null) {
      throw overAnother(key, present, commandKey);
    }
  }

  private static IllegalStateException overAnother(String key, Entry present, String commandKey) {
    return new IllegalStateException(
        "collapser "
            + key
            + " was built before with the batch command "
            + present.command.runtime().key()
            + ", now "
            + commandKey);
  }

  private Entry make(String key, CodeSettings code, Registry.Entry command) {
    AtomicReference<@Nullable CollapserRuntime> made =
        new AtomicReference<>(); // settings change under the configuration's lock only: not before
    // it is made
    LiveSettings<CollapserSettings> settings =
        configuration.collapser(
            key, code, changed -> Objects.requireNonNull(made.get(), key).settings(changed));
    try {
      CollapserRuntime runtime = new CollapserRuntime(key, command.runtime(), settings.current());
      made.set(runtime);
      Entry entry = new Entry(runtime, settings, code, command, runtime.view(settings));
      List<Entry> over = ofCommand.computeIfAbsent(command, absent -> new ArrayList<>(1));
      collapsers.put(key, entry);
      over.add(entry);
      inventory.report(Inventory.COLLAPSER_ADDED, entry.view());
      return entry;
    } catch (RuntimeException | Error e) {
      collapsers.remove(key); // there was none
      settings.close();
      throw e;
    }
  }

  /** The key of the command behind a collapser's key; the key itself if there is none. */
  String commandOf(String key) {
    Entry present = collapsers.get(key);
    return present == null ? key : present.command.runtime().key();
  }

  /** The command was taken out. Under the configuration's lock. */
  void remove(Registry.Entry command) {
    List<Entry> over = ofCommand.remove(command);
    if (over == null) {
      return;
    }
    for (Entry entry : over) {
      collapsers.remove(entry.view.key());
      entry.settings.close();
      entry.runtime.close();
      inventory.report(Inventory.COLLAPSER_REMOVED, entry.view());
    }
  }

  @Nullable LiveSettings<CollapserSettings> settings(String key) {
    Entry present = collapsers.get(key);
    return present == null ? null : present.settings();
  }

  void close() {
    collapsers.values().forEach(entry -> entry.runtime.close());
  }

  Collection<Entry> all() {
    return List.copyOf(collapsers.values());
  }
}
