// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Brings the test kit into the Spring context of a test: beans {@link dev.tenrec.test.Faults} and,
 * in virtual time, {@link dev.tenrec.test.VirtualTime}, which the Tenrec of the auto-configuration
 * goes by. Tests share it one after the other, as {@link dev.tenrec.test.SharedTenrec} says: what a
 * test did is undone as far as it can be, and a test that has left permits, a request or a deadline
 * fails. When the context closes, time goes on by itself, and held work is let go.
 *
 * <p>An application that makes its Tenrec itself has its bean apply {@code Faults} to its builder.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
public @interface TenrecTest {

  /** Whether time stands still until the test moves it. If not, the Tenrec goes by real time. */
  boolean virtualTime() default true;
}
