/** Annotations that make methods of Spring beans commands. */
@NullMarked
package dev.tenrec.annotations;

import org.jspecify.annotations.NullMarked;
