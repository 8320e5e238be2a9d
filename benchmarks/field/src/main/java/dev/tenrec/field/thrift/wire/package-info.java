// SPDX-License-Identifier: Apache-2.0
/**
 * What goes over the wire, written by hand on Thrift's protocol API, as this is all its compiler
 * would make of:
 *
 * <pre>
 * struct Echoed { 1: required i64 sum, 2: required binary payload }
 * service Echo { Echoed echo(1: i32 additions, 2: binary payload) }
 * </pre>
 */
@NullMarked
package dev.tenrec.field.thrift.wire;

import org.jspecify.annotations.NullMarked;
