/** One execution's way, from the call to its single ending. Read {@code Pipeline} first. */
@NullMarked
package dev.tenrec.core.execution;

import org.jspecify.annotations.NullMarked;
