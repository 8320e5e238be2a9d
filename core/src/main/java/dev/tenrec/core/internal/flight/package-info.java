// SPDX-License-Identifier: Apache-2.0
/**
 * Events for the JVM's flight recorder. The only package that names {@code jdk.jfr}, whose module
 * may be missing.
 */
@NullMarked
package dev.tenrec.core.internal.flight;

import org.jspecify.annotations.NullMarked;
