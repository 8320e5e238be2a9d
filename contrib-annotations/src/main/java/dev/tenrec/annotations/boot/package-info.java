// SPDX-License-Identifier: Apache-2.0
/** What an application on Spring Boot names: the customizer of its Tenrec. */
@NullMarked
package dev.tenrec.annotations.boot;

import org.jspecify.annotations.NullMarked;
