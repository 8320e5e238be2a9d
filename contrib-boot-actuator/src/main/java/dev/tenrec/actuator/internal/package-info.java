// SPDX-License-Identifier: Apache-2.0
/** What the endpoint answers, and what health is made of. Not for users. */
@NullMarked
package dev.tenrec.actuator.internal;

import org.jspecify.annotations.NullMarked;
