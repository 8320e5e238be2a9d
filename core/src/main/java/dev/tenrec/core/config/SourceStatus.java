// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a source of settings stands to the store that it follows, as it sees it itself. What shows
 * this instance shows it, whichever store that is: the page, health, metrics.
 */
public interface SourceStatus {

  /** Whether the store is reached; if not, the settings stay as they are. */
  boolean connected();

  /** What the store calls this instance; null if it has no name there. */
  @Nullable String instance();

  /** The zone that this instance is in; null if in none. */
  @Nullable String zone();

  /** The version of the store's settings that it goes by; 0 if it has none. */
  long version();

  /** Who made this version; null if it has none, or that is not known. */
  @Nullable String author();

  /** Why, in the author's words; null likewise. */
  @Nullable String reason();

  /**
   * Whether the settings are those that were kept at the last run, the store not having been
   * reached since the start.
   */
  boolean fromLastGood();

  /** How it stands to settings that are tried out on some instances; null if it is none of them. */
  @Nullable String canary();

  /** What a person has to look at, one sentence each; empty if nothing. */
  List<String> alarms();
}
