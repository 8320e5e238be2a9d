// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.contender.AnnotatedByHystrix;
import dev.tenrec.benchmarks.contender.AnnotatedByResilience4j;
import dev.tenrec.benchmarks.contender.AnnotatedByTenrec;
import dev.tenrec.benchmarks.contender.Rules;
import dev.tenrec.benchmarks.contender.TenrecContender;
import dev.tenrec.benchmarks.state.AllReached;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * A call of an annotated method of a Spring bean that succeeds on its caller's thread, beside the
 * same command called directly, and the same bean under the aspects of others.
 */
public class AnnotatedCall extends InNanoseconds {

  public static class Direct extends AllReached<TenrecContender> {
    @Override
    protected TenrecContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return TenrecContender.onCaller(Rules.usual(), work, fallback);
    }
  }

  public static class OnTenrec extends AllReached<AnnotatedByTenrec> {
    @Override
    protected AnnotatedByTenrec make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return new AnnotatedByTenrec(work, fallback);
    }
  }

  public static class OnHystrix extends AllReached<AnnotatedByHystrix> {
    @Override
    protected AnnotatedByHystrix make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return new AnnotatedByHystrix(work, fallback);
    }
  }

  public static class OnResilience4j extends AllReached<AnnotatedByResilience4j> {
    @Override
    protected AnnotatedByResilience4j make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return new AnnotatedByResilience4j(Rules.usual(), work, fallback);
    }
  }

  @Benchmark
  public String direct(Direct on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String tenrec(OnTenrec on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String javanica(OnHystrix on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String resilience4j(OnResilience4j on) {
    return on.contender.call(question);
  }
}
