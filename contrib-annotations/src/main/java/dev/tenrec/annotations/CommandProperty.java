// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * One property of a command, a thread pool or a collapser, by the name the list of configuration
 * properties has for it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({})
public @interface CommandProperty {

  /** Its name, as {@code circuitBreaker.sleepWindowInMilliseconds} or {@code coreSize}. */
  String name();

  /** Its value as text; {@code ${placeholders}} are replaced at start-up. */
  String value();
}
