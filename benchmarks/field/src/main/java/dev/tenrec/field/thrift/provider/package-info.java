// SPDX-License-Identifier: Apache-2.0
/** The provider: a Thrift server with a small heap and few threads. */
@NullMarked
package dev.tenrec.field.thrift.provider;

import org.jspecify.annotations.NullMarked;
