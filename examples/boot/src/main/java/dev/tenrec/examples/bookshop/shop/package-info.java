// SPDX-License-Identifier: Apache-2.0
/** The application: one controller, and three services whose calls are commands. */
@NullMarked
package dev.tenrec.examples.bookshop.shop;

import org.jspecify.annotations.NullMarked;
