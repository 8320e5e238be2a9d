// SPDX-License-Identifier: Apache-2.0
/** The streams that Hystrix's dashboard and Turbine read, of a Tenrec's commands. */
@NullMarked
package dev.tenrec.hystrix.stream;

import org.jspecify.annotations.NullMarked;
