// SPDX-License-Identifier: Apache-2.0
/** Hystrix's stream in the context that has the actuator, of either kind of web application. */
@NullMarked
package dev.tenrec.actuator.internal.stream;

import org.jspecify.annotations.NullMarked;
