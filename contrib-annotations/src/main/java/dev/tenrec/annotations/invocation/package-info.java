/** Declared methods as commands: what happens on each call. */
@NullMarked
package dev.tenrec.annotations.invocation;

import org.jspecify.annotations.NullMarked;
