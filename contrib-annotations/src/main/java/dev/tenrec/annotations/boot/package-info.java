/** Auto-configuration for Spring Boot 3.5 and 4. */
@NullMarked
package dev.tenrec.annotations.boot;

import org.jspecify.annotations.NullMarked;
