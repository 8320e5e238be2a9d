// SPDX-License-Identifier: Apache-2.0
/**
 * What a Spring application names: the switch that turns commands on, and the propagator of
 * locales.
 */
@NullMarked
package dev.tenrec.annotations.spring;

import org.jspecify.annotations.NullMarked;
