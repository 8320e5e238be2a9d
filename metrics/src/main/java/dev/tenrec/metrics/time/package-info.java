/** Time as a parameter: reading it and waiting for it, both replaceable. */
@NullMarked
package dev.tenrec.metrics.time;

import org.jspecify.annotations.NullMarked;
