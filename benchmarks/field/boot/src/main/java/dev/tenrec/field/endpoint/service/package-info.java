// SPDX-License-Identifier: Apache-2.0
/** What the application calls: a service that can do so much at once and no more. */
@NullMarked
package dev.tenrec.field.endpoint.service;

import org.jspecify.annotations.NullMarked;
