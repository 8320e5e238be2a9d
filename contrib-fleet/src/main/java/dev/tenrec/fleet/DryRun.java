// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet;

import dev.tenrec.fleet.model.Difference;
import dev.tenrec.fleet.model.MemberReport.Refused;
import java.util.List;

/**
 * What a change would do.
 *
 * @param baseVersion the version it was tried on: write it {@linkplain FleetDraft#expecting
 *     expecting} this one, or it may meet another
 * @param differences what it would change, key by key
 * @param refused what instances would refuse, and why; or which layer's document does not fit, by
 *     its text as the key. The change is not written with any
 * @param effects what it would mean, in words
 */
public record DryRun(
    long baseVersion, List<Difference> differences, List<Refused> refused, List<String> effects) {}
