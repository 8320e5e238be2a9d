// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

/**
 * Marks an exception that no fallback is to hide. Work that throws one has failed, and that is
 * counted as any failure; but no fallback runs, and the caller gets the exception.
 */
public interface NoFallback {}
