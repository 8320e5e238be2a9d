/** The services behind the storefront, each a real HTTP server; they know nothing of Tenrec. */
@NullMarked
package dev.tenrec.examples.storefront.shop;

import org.jspecify.annotations.NullMarked;
