/** Reads annotated classes, and says what is wrong with them. Start-up only. */
@NullMarked
package dev.tenrec.annotations.declaration;

import org.jspecify.annotations.NullMarked;
