// SPDX-License-Identifier: Apache-2.0
/** One reading for all clients, given to each at its own pace and within bounds. */
@NullMarked
package dev.tenrec.hystrix.stream.internal.feed;

import org.jspecify.annotations.NullMarked;
