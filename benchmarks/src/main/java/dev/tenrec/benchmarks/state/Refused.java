// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.state;

import dev.tenrec.benchmarks.contender.Contender;
import dev.tenrec.benchmarks.contender.Rules;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Every measured call is refused: its fallback answers, or its caller gets the refusal. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls the start of its subclasses before all else
public abstract class Refused<C extends Contender> {

  private final Maker<C> maker;
  private final @Nullable Function<Throwable, String> fallback;

  /** What is measured. */
  public C contender;

  /** One that is set up like this; without fallback where that is null. */
  Refused(Maker<C> maker, @Nullable Function<Throwable, String> fallback) {
    this.maker = maker;
    this.fallback = fallback;
  }

  final void make(Rules rules, UnaryOperator<String> work) {
    contender = maker.make(rules, work, fallback);
  }

  /** Sets a contender up. */
  @FunctionalInterface
  public interface Maker<C> {
    /** Around this work, under these rules; without fallback where that is null. */
    C make(Rules rules, UnaryOperator<String> work, @Nullable Function<Throwable, String> fallback);
  }
}
