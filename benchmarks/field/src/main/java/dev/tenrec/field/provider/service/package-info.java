// SPDX-License-Identifier: Apache-2.0
/**
 * The provider, whose handlers are commands on a bounded pool, and the store behind it; each in a
 * JVM of its own.
 */
@NullMarked
package dev.tenrec.field.provider.service;

import org.jspecify.annotations.NullMarked;
