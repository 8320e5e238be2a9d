// SPDX-License-Identifier: Apache-2.0
/** A fleet's store in etcd v3, by its HTTP gateway. */
@NullMarked
package dev.tenrec.fleet.etcd;

import org.jspecify.annotations.NullMarked;
