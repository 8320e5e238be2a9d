// SPDX-License-Identifier: Apache-2.0
/** The consumer: an HTTP endpoint that calls the provider, with or without a command. */
@NullMarked
package dev.tenrec.field.thrift.consumer;

import org.jspecify.annotations.NullMarked;
