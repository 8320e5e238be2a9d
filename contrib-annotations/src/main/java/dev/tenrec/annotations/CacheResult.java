// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a {@link Command} method: calls of one request with equal keys share one run, and its answer
 * or failure. On a {@link Collapsed} one they share a member of a batch, and its answer is kept for
 * the request, in either scope. Such a call needs an open request; in a web application a filter
 * opens one.
 *
 * <p>Beans of one class, and methods of one command key, keep results of their own.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface CacheResult {

  /**
   * The name of a method of the class, with this method's parameters. It returns the key, of any
   * type with {@code equals}; null for a call that shares nothing. Default: the parameters marked
   * {@link CacheKey} are the key, or, if none is, all of them.
   */
  String cacheKeyMethod() default "";
}
