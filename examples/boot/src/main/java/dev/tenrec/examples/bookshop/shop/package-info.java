// SPDX-License-Identifier: Apache-2.0
/**
 * The application: controllers, services whose calls are commands by annotation, and one that is
 * written to Spring Cloud.
 */
@NullMarked
package dev.tenrec.examples.bookshop.shop;

import org.jspecify.annotations.NullMarked;
