// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import org.jspecify.annotations.Nullable;

/**
 * What a fallback answered that only started something: a stage or a reactive type. The door that
 * hands it on follows it; if it fails, the caller gets the first cause.
 *
 * @param answer of the type the method returns
 * @param cause why the fallback was asked
 */
record Substitute(@Nullable Object answer, Throwable cause) {}
