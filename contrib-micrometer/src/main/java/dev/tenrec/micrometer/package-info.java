// SPDX-License-Identifier: Apache-2.0
/** Publishes what Tenrec counts through Micrometer, without recording anything a second time. */
@NullMarked
package dev.tenrec.micrometer;

import org.jspecify.annotations.NullMarked;
