/** Archaius 2 as the source of settings. The only package that names it. */
@NullMarked
package dev.tenrec.core.config.archaius;

import org.jspecify.annotations.NullMarked;
