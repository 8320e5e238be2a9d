/** Spring's part: the advisor, and the check at start-up. */
@NullMarked
package dev.tenrec.annotations.spring;

import org.jspecify.annotations.NullMarked;
