// SPDX-License-Identifier: Apache-2.0
/** A fleet's store in ZooKeeper, by Curator. */
@NullMarked
package dev.tenrec.fleet.zookeeper;

import org.jspecify.annotations.NullMarked;
