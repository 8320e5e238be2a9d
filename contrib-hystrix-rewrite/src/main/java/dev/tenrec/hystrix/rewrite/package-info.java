// SPDX-License-Identifier: Apache-2.0
/** Recipes for OpenRewrite that move sources and property keys from Hystrix to Tenrec. */
@NullMarked
package dev.tenrec.hystrix.rewrite;

import org.jspecify.annotations.NullMarked;
