/** A request context for each web request. */
@NullMarked
package dev.tenrec.annotations.web;

import org.jspecify.annotations.NullMarked;
