// SPDX-License-Identifier: Apache-2.0
/** Spring's part: the advisor, and the check at start-up. */
@NullMarked
package dev.tenrec.annotations.internal.spring;

import org.jspecify.annotations.NullMarked;
