/** What calls with equal keys share in one request: one run, and its result. */
@NullMarked
package dev.tenrec.core.cache;

import org.jspecify.annotations.NullMarked;
