/** What a user hands to a command: work, fallbacks, and the call they may look at. A leaf. */
@NullMarked
package dev.tenrec.core.work;

import org.jspecify.annotations.NullMarked;
