// SPDX-License-Identifier: Apache-2.0
/** What is streamed: a Tenrec's figures under the field names of Hystrix. */
@NullMarked
package dev.tenrec.hystrix.stream.internal.event;

import org.jspecify.annotations.NullMarked;
