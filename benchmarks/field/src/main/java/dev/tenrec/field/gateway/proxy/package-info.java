// SPDX-License-Identifier: Apache-2.0
/** The gateway: its routes are commands around asynchronous calls, each under a semaphore. */
@NullMarked
package dev.tenrec.field.gateway.proxy;

import org.jspecify.annotations.NullMarked;
