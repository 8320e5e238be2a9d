/** The shoppers: an open load, and what each caller got. */
@NullMarked
package dev.tenrec.examples.storefront.load;

import org.jspecify.annotations.NullMarked;
