// SPDX-License-Identifier: Apache-2.0
/** Auto-configuration for Spring Boot 3.5 and 4. */
@NullMarked
package dev.tenrec.annotations.internal.boot;

import org.jspecify.annotations.NullMarked;
