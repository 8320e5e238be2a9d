// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an instance has done with the fleet's settings. It goes when the instance does.
 *
 * @param id the instance
 * @param incarnation made up at its start: two that have one id differ in it
 * @param zone its zone; null if it has none
 * @param version the version it has applied: resolved, with every command going by it; 0 if none
 * @param lineage that of the version
 * @param settingsHash of the settings that concern it, merged; equal for equal settings
 * @param effectiveHash of every setting in force of every command, pool, semaphore and collapser
 * @param refused what it did not take over, and why
 * @param masked what is in its merged settings, and beaten there by something of its own
 * @param canary how it stands to the canary, as {@code in 17} or {@code left 17: ...}; null if it
 *     is no member
 * @param alarm what is wrong with what it finds in the store; null if nothing
 * @param commands the keys of its commands
 * @param refusing the keys of those whose circuits refuse calls: open, half-open or forced open;
 *     looked at when the settings are, and each 10 s
 * @param console where its console is, as it says itself; null if it does not say
 */
public record MemberReport(
    String id,
    String incarnation,
    @Nullable String zone,
    long version,
    String lineage,
    String settingsHash,
    String effectiveHash,
    List<Refused> refused,
    List<Masked> masked,
    @Nullable String canary,
    @Nullable String alarm,
    List<String> commands,
    List<String> refusing,
    @Nullable String console) {

  /** Copies the lists. */
  public MemberReport {
    refused = refused == null ? List.of() : List.copyOf(refused);
    masked = masked == null ? List.of() : List.copyOf(masked);
    commands = commands == null ? List.of() : List.copyOf(commands);
    refusing = refusing == null ? List.of() : List.copyOf(refusing);
  }

  /**
   * A setting of the fleet's that was not taken over.
   *
   * @param key the full key
   * @param rule what was expected
   */
  public record Refused(String key, String rule) {}

  /**
   * A setting of the fleet's that something of the instance's own beats.
   *
   * @param key the full key
   * @param by what beats it, in words
   */
  public record Masked(String key, String by) {}
}
