/** How an execution ended: outcomes and exceptions. A leaf: every package may name it. */
@NullMarked
package dev.tenrec.core.outcome;

import org.jspecify.annotations.NullMarked;
