// SPDX-License-Identifier: Apache-2.0
/** What is written into a fleet's store, and read out of it. */
@NullMarked
package dev.tenrec.fleet.model;

import org.jspecify.annotations.NullMarked;
