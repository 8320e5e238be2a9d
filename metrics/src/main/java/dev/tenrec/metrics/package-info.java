/** The metrics of one command and of one pool: the packages below, put together. */
@NullMarked
package dev.tenrec.metrics;

import org.jspecify.annotations.NullMarked;
