/**
 * Readings taken every so often, shared by all that listen for them, and handed to each at its own
 * pace.
 */
@NullMarked
package dev.tenrec.core.sampling;

import org.jspecify.annotations.NullMarked;
