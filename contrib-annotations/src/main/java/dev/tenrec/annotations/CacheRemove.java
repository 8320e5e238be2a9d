// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * When this method has succeeded, the next call of a {@link CacheResult} method with an equal key
 * in this request runs anew. For asynchronous methods that is when what they return succeeds,
 * before their caller is notified; a reactive one removes from its subscriber's request. The method
 * may be a {@link Command}; it need not, unless it returns a plain Future. Without an open request
 * nothing happens. On a fallback it has an effect only if that is a {@link Command} as well.
 *
 * <p>What is removed is this bean's; the results of all beans where the method is of another class.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface CacheRemove {

  /**
   * The key of the command whose results are meant (for a {@link Collapsed} method, that of its
   * batches), as it is written there, or the name of its method, or of several, in this class.
   */
  String commandKey();

  /** As {@link CacheResult#cacheKeyMethod}. Has to make keys equal to those of the results. */
  String cacheKeyMethod() default "";
}
