// SPDX-License-Identifier: Apache-2.0
/**
 * An HTTP consumer that calls a Thrift provider which load can drive into collapse; with and
 * without a command between them.
 */
@NullMarked
package dev.tenrec.field.thrift;

import org.jspecify.annotations.NullMarked;
