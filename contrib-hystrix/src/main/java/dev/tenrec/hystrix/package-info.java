// SPDX-License-Identifier: Apache-2.0
/** The classes that users of Hystrix extend, on Tenrec's engine and settings. */
@NullMarked
package dev.tenrec.hystrix;

import org.jspecify.annotations.NullMarked;
