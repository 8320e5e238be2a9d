/** Read-only views of commands, pools and collapsers, for publishers. */
@NullMarked
package dev.tenrec.metrics.view;

import org.jspecify.annotations.NullMarked;
