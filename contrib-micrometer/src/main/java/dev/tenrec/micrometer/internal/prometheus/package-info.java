// SPDX-License-Identifier: Apache-2.0
/** The one package that names Prometheus' client, which an application need not have. */
@NullMarked
package dev.tenrec.micrometer.internal.prometheus;

import org.jspecify.annotations.NullMarked;
