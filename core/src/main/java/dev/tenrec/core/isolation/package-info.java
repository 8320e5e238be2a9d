/** Permits, pools and threads: how many calls may be in flight, and where they run. */
@NullMarked
package dev.tenrec.core.isolation;

import org.jspecify.annotations.NullMarked;
