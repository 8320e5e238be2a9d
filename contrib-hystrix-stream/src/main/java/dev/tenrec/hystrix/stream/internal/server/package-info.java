// SPDX-License-Identifier: Apache-2.0
/** The JDK's HTTP server, with clients that may stall. */
@NullMarked
package dev.tenrec.hystrix.stream.internal.server;

import org.jspecify.annotations.NullMarked;
