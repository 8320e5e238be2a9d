// SPDX-License-Identifier: Apache-2.0
/** What is asked: a service with a delay that counts. */
@NullMarked
package dev.tenrec.field.load.service;

import org.jspecify.annotations.NullMarked;
