// SPDX-License-Identifier: Apache-2.0
/** Programs in JVMs of their own, which answer to whoever started them. */
@NullMarked
package dev.tenrec.examples.endpoint.child;

import org.jspecify.annotations.NullMarked;
