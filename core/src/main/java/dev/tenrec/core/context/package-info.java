/** What a call takes along from its caller's thread to the threads of its work and its fallback. */
@NullMarked
package dev.tenrec.core.context;

import org.jspecify.annotations.NullMarked;
