/** Fallbacks and their own permits. */
@NullMarked
package dev.tenrec.core.fallback;

import org.jspecify.annotations.NullMarked;
