/** What a user types: {@code Tenrec}, commands, guards, and their builders. */
@NullMarked
package dev.tenrec.core;

import org.jspecify.annotations.NullMarked;
