// SPDX-License-Identifier: Apache-2.0
/** How the annotation gets into the context of a test, and what follows each test. */
@NullMarked
package dev.tenrec.test.internal.spring;

import org.jspecify.annotations.NullMarked;
