// SPDX-License-Identifier: Apache-2.0
/** Auto-configuration for Spring Boot. */
@NullMarked
package dev.tenrec.springcloud.boot;

import org.jspecify.annotations.NullMarked;
