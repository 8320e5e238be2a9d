/** The timer and the executor its findings are handed to. */
@NullMarked
package dev.tenrec.core.timeout;

import org.jspecify.annotations.NullMarked;
