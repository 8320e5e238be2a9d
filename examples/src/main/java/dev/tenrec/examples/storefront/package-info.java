/**
 * A storefront: three services that behave as services do, called through Tenrec, and an account of
 * every call.
 */
@NullMarked
package dev.tenrec.examples.storefront;

import org.jspecify.annotations.NullMarked;
