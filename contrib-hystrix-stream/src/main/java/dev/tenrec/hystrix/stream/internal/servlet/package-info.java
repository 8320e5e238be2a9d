// SPDX-License-Identifier: Apache-2.0
/** The only package that names the servlets' API, beside the servlet itself. */
@NullMarked
package dev.tenrec.hystrix.stream.internal.servlet;

import org.jspecify.annotations.NullMarked;
