/** What follows a call from the caller's thread to wherever its work and its fallback run. */
@NullMarked
package dev.tenrec.core.context;

import org.jspecify.annotations.NullMarked;
