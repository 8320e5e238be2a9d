// SPDX-License-Identifier: Apache-2.0
/** JVMs that report what they do, line by line, and their readers. */
@NullMarked
package dev.tenrec.field.thrift.process;

import org.jspecify.annotations.NullMarked;
