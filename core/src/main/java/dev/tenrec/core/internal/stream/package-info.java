// SPDX-License-Identifier: Apache-2.0
/**
 * Work that answers with a publisher. {@link StreamBridge} connects the subscription to that
 * publisher with the subscription of the caller.
 */
@NullMarked
package dev.tenrec.core.internal.stream;

import org.jspecify.annotations.NullMarked;
