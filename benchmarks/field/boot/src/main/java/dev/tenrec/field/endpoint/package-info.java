// SPDX-License-Identifier: Apache-2.0
/** A Spring endpoint guarded by a tuned command, first of the systems from the field. */
@NullMarked
package dev.tenrec.field.endpoint;

import org.jspecify.annotations.NullMarked;
