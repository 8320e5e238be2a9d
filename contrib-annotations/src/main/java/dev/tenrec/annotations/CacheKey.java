// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A parameter of a {@link CacheResult} or {@link CacheRemove} method that belongs to its key. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface CacheKey {

  /**
   * The property of the argument that counts, as {@code id} or {@code owner.name}: read by its
   * getter, its record accessor or its public field. Default: the argument itself.
   */
  String value() default "";
}
