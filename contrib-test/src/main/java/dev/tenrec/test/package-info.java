// SPDX-License-Identifier: Apache-2.0
/**
 * For tests of what uses Tenrec: time that a test moves, faults by key, assertions, and a search
 * for what was left.
 */
@NullMarked
package dev.tenrec.test;

import org.jspecify.annotations.NullMarked;
