// SPDX-License-Identifier: Apache-2.0
/** Auto-configuration of what Spring Boot's actuator shows of Tenrec, on Boot 3.5 and 4. */
@NullMarked
package dev.tenrec.actuator;

import org.jspecify.annotations.NullMarked;
