// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import dev.tenrec.core.config.IsolationStrategy;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method of a Spring bean a command: isolated, timed, tripped and recovered. Works on calls
 * from outside the bean, because it is the bean's proxy that does it; a bean that calls its own
 * method is not protected.
 *
 * <p>Everything has a default; what the method does not say is taken from {@link CommandDefaults}
 * on its class. Texts may hold {@code ${placeholders}}, which are replaced once, at start-up; the
 * names of methods may not. Settings given here rank below the dynamic properties of the command's
 * key, and above the dynamic global ones.
 *
 * <p>Everything is checked at start-up; one mistake stops it, with a message about all of them.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Command {

  /**
   * The group, for display; commands of one group share a thread pool unless {@link #threadPoolKey}
   * names one. Default: the simple name of the bean's class. May hold {@code #{expressions}} if
   * {@link #commandKey} does.
   */
  String groupKey() default "";

  /**
   * The key. Default: the simple name of the bean's class, a dot, and the method's name; if the
   * class has more than one command of that name, followed by the parameters' types, as {@code
   * Quotes.byId(long)}; where those are named alike, with their outer classes or packages. The
   * interface stands for the class where that is a lambda's or a proxy's.
   *
   * <p>With {@code #{expressions}} over the arguments, as {@code Stock-#{#warehouse}}, each outcome
   * is a command of its own, with its own circuit breaker; no more of them than {@link #maxKeys}. A
   * call whose outcome is blank or {@code default}, which stands for all keys, fails.
   */
  String commandKey() default "";

  /**
   * The key of the thread pool. Default: the group. May hold {@code #{expressions}} if {@link
   * #commandKey} does.
   */
  String threadPoolKey() default "";

  /**
   * How many commands the expressions in {@link #commandKey} may make; a call that would need one
   * more fails with an IllegalStateException.
   */
  int maxKeys() default 100;

  /**
   * The name of the methods that answer when this one does not. They stand in its class or a
   * superclass, with any visibility, and have its parameters and optionally an exception as the
   * last one. Of several, the method with the most specific exception answers. Where this method is
   * a fallback itself and takes an exception last, its own fallbacks may leave that out.
   */
  String fallbackMethod() default "";

  /**
   * The name of a method that answers when there is no {@link #fallbackMethod}: without parameters,
   * or with the exception alone. {@code none} says that there is no fallback, not that of the class
   * either, unless a method has that name.
   */
  String defaultFallback() default "";

  /** Properties of the command. If there are any, those of the class do not count. */
  CommandProperty[] commandProperties() default {};

  /** Properties of the thread pool. If there are any, those of the class do not count. */
  CommandProperty[] threadPoolProperties() default {};

  /**
   * Exceptions that are the caller's fault: they reach it as they are, without a fallback, and do
   * not count against the dependency. If there are any, those of the class do not count.
   */
  Class<? extends Throwable>[] ignoreExceptions() default {};

  /**
   * How many attempts a call has at most, the first one included, if the method fails: 1 to 100.
   * Default: 1, so a call is never attempted again. <b>Only methods that may run twice for one call
   * may have more</b>; what is retried, when, and on which budget says {@link
   * dev.tenrec.core.retry.Retry}. Delays and budget are {@link #commandProperties}, {@code
   * retry.*}; a dynamic {@code retry.attempts} wins over this. Not for methods that return a
   * stream, nor for batch methods.
   */
  int attempts() default 1;

  /**
   * Which failures are retried: these exceptions and their subclasses; all if there are none. Only
   * together with {@link #attempts}.
   */
  Class<? extends Throwable>[] retryOn() default {};

  /**
   * When an attempt of the method that is slow gets another one beside it: after a time, {@code
   * 50ms}, {@code PT0.05S}, {@code 50} for milliseconds, or after a percentile of what executions
   * took of late, {@code p95}, from p1 to p99. Default: never. <b>Only methods that may run twice
   * for one call, even at the same time, may have it</b>; see {@link dev.tenrec.core.retry.Hedge}.
   * The budget is {@link #sharedBudget} or {@link #commandProperties}, {@code hedge.*}; a dynamic
   * {@code hedge.afterInMilliseconds} wins over this. With {@link #attempts}, attempts and hedges
   * together are at most so many. Not for methods that run on their caller's thread or return a
   * stream, nor for batch methods.
   */
  String hedgeAfter() default "";

  /** How many hedges there are at most: 1 to 10. Only together with {@link #hedgeAfter}. */
  int hedges() default 1;

  /**
   * The name of a budget that commands share, on which retries and hedges of this one are drawn;
   * its figures are the settings {@code retrybudget.<name>.*}. Only together with {@link #attempts}
   * or {@link #hedgeAfter}. Default: a budget of the command's own.
   */
  String sharedBudget() default "";

  /**
   * Where the method runs; one value, or none for the default: a thread pool, and for methods that
   * return a stage or a reactive type the caller's thread, under a semaphore.
   */
  IsolationStrategy[] isolation() default {};

  /**
   * The time a call may take: {@code 300ms}, {@code 2s}, {@code 1m}, {@code PT0.3S}, {@code 300}
   * for milliseconds, {@code none}. Default: one second, unless a property says otherwise.
   */
  String timeout() default "";
}
