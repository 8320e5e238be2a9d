// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.contender.FailsafeContender;
import dev.tenrec.benchmarks.contender.HystrixContender;
import dev.tenrec.benchmarks.contender.Resilience4jContender;
import dev.tenrec.benchmarks.contender.Rules;
import dev.tenrec.benchmarks.contender.TenrecContender;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How contenders are set up that refuse calls, whether for an open circuit or for want of a permit.
 */
final class Refusing {

  private Refusing() {}

  static TenrecContender tenrec(
      Rules rules, UnaryOperator<String> work, @Nullable Function<Throwable, String> fallback) {
    return TenrecContender.onCaller(rules, work, fallback);
  }

  /** The same in a JVM that has seen other works, fallbacks and doors. */
  static TenrecContender tenrecPolluted(
      Rules rules, UnaryOperator<String> work, @Nullable Function<Throwable, String> fallback) {
    Pollution.ofThisJvm();
    return tenrec(rules, work, fallback);
  }

  /** The fallback is a value: nothing of the user's runs. */
  static TenrecContender tenrecWithValue(
      Rules rules, UnaryOperator<String> work, @Nullable Function<Throwable, String> fallback) {
    String value = there(fallback).apply(ProtectedCall.DOWN);
    return TenrecContender.withFallbackValue(rules, work, value);
  }

  /** Its default: refusals have a stack trace. */
  static Resilience4jContender resilience4j(
      Rules rules, UnaryOperator<String> work, @Nullable Function<Throwable, String> fallback) {
    return Resilience4jContender.of(rules.withStackTraces(), work, fallback);
  }

  static HystrixContender hystrix(
      Rules rules, UnaryOperator<String> work, @Nullable Function<Throwable, String> fallback) {
    return HystrixContender.onCaller(rules, work, there(fallback));
  }

  /** Where a call stays for the whole run, which a deadline would end. */
  static HystrixContender hystrixWithoutTimeout(
      Rules rules, UnaryOperator<String> work, @Nullable Function<Throwable, String> fallback) {
    return HystrixContender.onCallerWithoutTimeout(rules, work, there(fallback));
  }

  static FailsafeContender failsafe(
      Rules rules, UnaryOperator<String> work, @Nullable Function<Throwable, String> fallback) {
    return FailsafeContender.onCaller(rules, work, there(fallback));
  }

  /** These are measured with a fallback alone. */
  private static Function<Throwable, String> there(@Nullable Function<Throwable, String> fallback) {
    return Objects.requireNonNull(fallback, "fallback");
  }
}
