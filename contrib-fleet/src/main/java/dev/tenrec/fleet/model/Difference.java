// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.model;

import org.jspecify.annotations.Nullable;

/**
 * What a change did to one key of one layer.
 *
 * @param layer the layer's text
 * @param key the full key
 * @param before what it was set to; null if it was not
 * @param after what it is set to; null if it is not
 */
public record Difference(
    String layer, String key, @Nullable Setting before, @Nullable Setting after) {}
