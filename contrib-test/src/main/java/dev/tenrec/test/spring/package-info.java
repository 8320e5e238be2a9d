// SPDX-License-Identifier: Apache-2.0
/** The test kit for tests with a Spring context: one annotation. */
@NullMarked
package dev.tenrec.test.spring;

import org.jspecify.annotations.NullMarked;
