// SPDX-License-Identifier: Apache-2.0
/** What the tests of all that publishes metrics share: what there is to be seen. */
@org.jspecify.annotations.NullMarked
package dev.tenrec.test.published;
