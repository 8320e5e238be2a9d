// SPDX-License-Identifier: Apache-2.0
/**
 * One page that needs 300 bookmarks and those who keep them, read twice over real HTTP: with a call
 * for each, and batched and remembered within one request.
 */
@NullMarked
package dev.tenrec.examples.bookmarks;

import org.jspecify.annotations.NullMarked;
