// SPDX-License-Identifier: Apache-2.0
/**
 * Resolves settings through their levels, and keeps them resolved while their source changes. Start
 * at {@link dev.tenrec.core.internal.config.Configuration}.
 */
@NullMarked
package dev.tenrec.core.internal.config;

import org.jspecify.annotations.NullMarked;
