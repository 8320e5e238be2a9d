// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet;

import dev.tenrec.core.config.SourceStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an instance stands to its fleet, as it sees it itself: for a page, a health detail, a metric.
 *
 * @param instance the instance
 * @param zone its zone; null if it has none
 * @param connected whether the store is reached; if not, the settings stay as they are
 * @param version the version of the settings that it goes by; 0 if it has none
 * @param author of this version; null if it has none
 * @param reason why, in the author's words; null if it has none
 * @param fromLastGood whether these are from the last-good file, the store not having been reached
 *     since the start
 * @param canary how it stands to the canary; null if it is no member
 * @param alarms what a person has to look at; empty if nothing
 */
public record FleetStatus(
    String instance,
    @Nullable String zone,
    boolean connected,
    long version,
    @Nullable String author,
    @Nullable String reason,
    boolean fromLastGood,
    @Nullable String canary,
    List<String> alarms)
    implements SourceStatus {}
