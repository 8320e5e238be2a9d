// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Calls of this method, which has one parameter, become calls of a batch method with all the
 * arguments that came within a short window. The method's own body never runs.
 *
 * <p>The batch method stands in this method's class or a superclass. It takes a {@code List} of
 * arguments (equal ones once) and returns either a {@code List} with an answer for each, in their
 * order, or a {@code Map} of answers by argument; or a {@code CompletionStage} of such a map.
 * Whether it is a {@link Command} or not, a batch is one: with its annotation's key and settings,
 * or with its class's defaults and this method's key. Its fallback, if it has one, answers for the
 * whole batch.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Collapsed {

  /** Which calls share batches. */
  enum Scope {
    /** The calls of one request, which has to be open. */
    REQUEST,
    /** All calls. */
    GLOBAL
  }

  /** The name of the batch method. */
  String batchMethod();

  /** Which calls share batches. Default: the calls of one request. */
  Scope scope() default Scope.REQUEST;

  /** Properties of the collapser, as {@code timerDelayInMilliseconds}. */
  CommandProperty[] properties() default {};
}
