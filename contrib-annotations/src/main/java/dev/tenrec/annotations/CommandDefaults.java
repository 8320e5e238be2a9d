// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import dev.tenrec.core.config.IsolationStrategy;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What holds for all {@link Command} methods of a class that do not say otherwise. */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface CommandDefaults {

  /** As {@link Command#groupKey}. */
  String groupKey() default "";

  /** As {@link Command#threadPoolKey}. */
  String threadPoolKey() default "";

  /** As {@link Command#defaultFallback}. */
  String defaultFallback() default "";

  /** As {@link Command#commandProperties}. */
  CommandProperty[] commandProperties() default {};

  /** As {@link Command#threadPoolProperties}. */
  CommandProperty[] threadPoolProperties() default {};

  /** As {@link Command#ignoreExceptions}. */
  Class<? extends Throwable>[] ignoreExceptions() default {};

  /** As {@link Command#isolation}. */
  IsolationStrategy[] isolation() default {};

  /** As {@link Command#timeout}. */
  String timeout() default "";
}
