// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.contender;

import com.alibaba.csp.sentinel.Entry;
import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.Tracer;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import com.alibaba.csp.sentinel.slots.block.RuleConstant;
import com.alibaba.csp.sentinel.slots.block.degrade.DegradeRule;
import com.alibaba.csp.sentinel.slots.block.degrade.DegradeRuleManager;
import com.alibaba.csp.sentinel.slots.block.degrade.circuitbreaker.CircuitBreaker;
import com.alibaba.csp.sentinel.slots.block.degrade.circuitbreaker.EventObserverRegistry;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRuleManager;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Sentinel: an entry around the call, as its guide shows, under a rule for concurrent threads and
 * one for the share of exceptions in 10 s (a tumbling window, the only one it has). Its refusals
 * have no stack trace.
 */
public final class SentinelContender implements Contender {

  /** It keeps everything by resource in statics. */
  private static final AtomicInteger NUMBER = new AtomicInteger();

  static {
    // or it writes its logs into the user's home
    Path logs = Path.of(System.getProperty("java.io.tmpdir"), "sentinel-benchmark-logs");
    System.setProperty("csp.sentinel.log.dir", logs.toString());
    System.setProperty("project.name", "tenrec-benchmarks");
  }

  private final String resource = "measured" + NUMBER.incrementAndGet();
  private final UnaryOperator<String> work;
  private final Function<Throwable, String> fallback;

  /** Written by the observer of its breaker, read by the benchmark's end. */
  private volatile boolean open;

  /** Replaces all rules there are: one at a time in a JVM. */
  public SentinelContender(
      Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
    this.work = work;
    this.fallback = fallback;
    FlowRule limit = new FlowRule(resource);
    limit.setGrade(RuleConstant.FLOW_GRADE_THREAD);
    limit.setCount(rules.maxConcurrent());
    FlowRuleManager.loadRules(List.of(limit));
    DegradeRule breaker = new DegradeRule(resource);
    breaker.setGrade(RuleConstant.DEGRADE_GRADE_EXCEPTION_RATIO);
    breaker.setCount(rules.errorPercentage() / 100.0);
    breaker.setMinRequestAmount(rules.volume());
    breaker.setStatIntervalMs((int) Rules.WINDOW.toMillis());
    breaker.setTimeWindow((int) rules.sleepWindow().toSeconds());
    DegradeRuleManager.loadRules(List.of(breaker));
    EventObserverRegistry.getInstance()
        .addStateChangeObserver(
            resource,
            (before, after, rule, snapshot) -> {
              if (rule.getResource().equals(resource)) {
                open = after == CircuitBreaker.State.OPEN;
              }
            });
  }

  @Override
  public String call(String question) {
    Entry entry = null;
    try {
      entry = SphU.entry(resource);
      return work.apply(question);
    } catch (BlockException refused) {
      return fallback.apply(refused);
    } catch (RuntimeException failed) {
      Tracer.traceEntry(failed, entry);
      return fallback.apply(failed);
    } finally {
      if (entry != null) {
        entry.exit();
      }
    }
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    EventObserverRegistry.getInstance().removeStateChangeObserver(resource);
  }
}
