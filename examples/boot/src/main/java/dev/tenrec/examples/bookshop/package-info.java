// SPDX-License-Identifier: Apache-2.0
/**
 * A bookshop on Spring Boot, driven over real HTTP for some seconds. A setting changes while it
 * runs, and every call is accounted for. Its shop is in a package of its own: what an application
 * would have; here is what drives it.
 */
@NullMarked
package dev.tenrec.examples.bookshop;

import org.jspecify.annotations.NullMarked;
