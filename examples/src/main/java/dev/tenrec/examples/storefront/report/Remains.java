// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.report;

import java.util.List;

/**
 * What is left when all is over.
 *
 * @param permits executions that still hold a permit, or a thread
 * @param threads threads that Tenrec made and that have not ended
 * @param threadNames their names
 */
public record Remains(long permits, int threads, List<String> threadNames) {}
