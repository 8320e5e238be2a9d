/** The events an execution can bring, in the order they are reported. */
@NullMarked
package dev.tenrec.metrics.event;

import org.jspecify.annotations.NullMarked;
