// SPDX-License-Identifier: Apache-2.0
/** A Tenrec's figures and calls, by the API of OpenTelemetry. */
@NullMarked
package dev.tenrec.opentelemetry;

import org.jspecify.annotations.NullMarked;
