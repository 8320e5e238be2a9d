/** Listeners that receive every step of every call: for logs, traces, and counts of one's own. */
@NullMarked
package dev.tenrec.core.listener;

import org.jspecify.annotations.NullMarked;
