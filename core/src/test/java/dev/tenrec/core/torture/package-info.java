// SPDX-License-Identifier: Apache-2.0
/** Many threads, failures and exhaustion at once; every call ends once. */
@NullMarked
package dev.tenrec.core.torture;

import org.jspecify.annotations.NullMarked;
