// SPDX-License-Identifier: Apache-2.0
/** The console's page in the context that has the actuator, of either kind of web application. */
@NullMarked
package dev.tenrec.actuator.internal.console;

import org.jspecify.annotations.NullMarked;
