// SPDX-License-Identifier: Apache-2.0
/** The application that is put under load, and its endpoint in six configurations. */
@NullMarked
package dev.tenrec.field.endpoint.app;

import org.jspecify.annotations.NullMarked;
