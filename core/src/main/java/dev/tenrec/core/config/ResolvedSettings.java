// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import java.util.List;
import java.util.Map;

/**
 * What a Tenrec has made of its dynamic properties, all of one moment: every command, pool,
 * semaphore, rate limiter, shared budget and collapser goes by it.
 *
 * @param properties the dynamic properties it was made of, by full key, those that were refused
 *     included
 * @param effective every setting of what has been built
 * @param refusals the dynamic values that are refused now, with the reason
 */
public record ResolvedSettings(
    Map<String, String> properties, List<EffectiveSetting> effective, List<Refusal> refusals) {}
