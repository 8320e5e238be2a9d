// SPDX-License-Identifier: Apache-2.0
/** For code that builds commands of its own in a Spring context. */
@NullMarked
package dev.tenrec.annotations.context;

import org.jspecify.annotations.NullMarked;
