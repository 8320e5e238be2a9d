/**
 * The storefront's calls as commands, with their settings in a file: read this for how Tenrec is
 * used.
 */
@NullMarked
package dev.tenrec.examples.storefront.command;

import org.jspecify.annotations.NullMarked;
