/** The live table, the summary, the accounting and the JSON report. */
@NullMarked
package dev.tenrec.examples.storefront.report;

import org.jspecify.annotations.NullMarked;
