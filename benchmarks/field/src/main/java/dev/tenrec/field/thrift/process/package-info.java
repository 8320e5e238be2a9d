// SPDX-License-Identifier: Apache-2.0
/** JVMs that tell what they do, line by line, and those who listen. */
@NullMarked
package dev.tenrec.field.thrift.process;

import org.jspecify.annotations.NullMarked;
