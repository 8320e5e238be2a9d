// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.wrong;

import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandProperty;
import dev.tenrec.annotations.wrong.WrongBeans.Wrong;
import dev.tenrec.core.config.IsolationStrategy;
import io.reactivex.rxjava3.core.Flowable;
import java.util.List;

/** What is right by itself, and wrong together. */
public final class WrongCombinations {

  private WrongCombinations() {}

  @Wrong(
      where = "right()",
      found =
          "the thread pool PoolSaidTwice with {coreSize=7}, of which"
              + " dev.tenrec.annotations.wrong.WrongCombinations$PoolSaidTwice.left() says"
              + " {coreSize=3}",
      expected = "one pool, one description, or a threadPoolKey of its own")
  static class PoolSaidTwice {
    @Command(threadPoolProperties = @CommandProperty(name = "coreSize", value = "3"))
    public String left() {
      return "";
    }

    @Command(threadPoolProperties = @CommandProperty(name = "coreSize", value = "7"))
    public String right() {
      return "";
    }
  }

  @Wrong(where = "get()", found = "attempts = 0", expected = "1 to 100")
  static class NoAttempts {
    @Command(attempts = 0)
    public String get() {
      return "";
    }
  }

  @Wrong(
      where = "get()",
      found = "retryOn without attempts",
      expected = "attempts of 2 or more beside it")
  static class RetriedOnceOn {
    @Command(retryOn = IllegalStateException.class)
    public String get() {
      return "";
    }
  }

  @Wrong(
      where = "get()",
      found = "@Command says attempts twice: by itself and as retry.attempts",
      expected = "one of the two")
  static class AttemptsTwice {
    @Command(
        attempts = 3,
        commandProperties = @CommandProperty(name = "retry.attempts", value = "2"))
    public String get() {
      return "";
    }
  }

  @Wrong(
      where = "get()",
      found = "retry.attempts without attempts",
      expected = "attempts: whether it may run twice is said there")
  static class AttemptsByProperty {
    @Command(commandProperties = @CommandProperty(name = "retry.attempts", value = "2"))
    public String get() {
      return "";
    }
  }

  @Wrong(
      where = "get()",
      found = "attempts = 2 on a method that returns a stream",
      expected = "no attempts: what a stream has brought cannot be taken back")
  static class RetriedStream {
    @Command(attempts = 2)
    public Flowable<String> get() {
      return Flowable.empty();
    }
  }

  @Wrong(
      where = "one(String)",
      found = "a batchMethod with attempts",
      expected = "no attempts: the batches of a collapser are not attempted again")
  static class RetriedBatch {
    @Collapsed(batchMethod = "many")
    public String one(String id) {
      return "";
    }

    @Command(attempts = 2)
    public List<String> many(List<String> ids) {
      return ids;
    }
  }

  @Wrong(
      where = "get()",
      found = "hedges = 2 without hedgeAfter",
      expected = "hedgeAfter beside it")
  static class HedgesWithoutTime {
    @Command(hedges = 2)
    public String get() {
      return "";
    }
  }

  @Wrong(where = "get()", found = "hedges = 11", expected = "1 to 10")
  static class TooManyHedges {
    @Command(hedgeAfter = "50ms", hedges = 11)
    public String get() {
      return "";
    }
  }

  @Wrong(
      where = "get()",
      found = "hedgeAfter = \"p100\"",
      expected =
          "a time up to a day as 50ms, PT0.05S or 50 (milliseconds), or a percentile from p1 to"
              + " p99")
  static class HedgedByNoPercentile {
    @Command(hedgeAfter = "p100")
    public String get() {
      return "";
    }
  }

  @Wrong(
      where = "get()",
      found = "@Command says hedgeAfter, and hedge.afterInMilliseconds as well",
      expected = "one of the two")
  static class HedgedTwice {
    @Command(
        hedgeAfter = "50ms",
        commandProperties = @CommandProperty(name = "hedge.afterInMilliseconds", value = "20"))
    public String get() {
      return "";
    }
  }

  @Wrong(
      where = "get()",
      found = "hedge.atMost without hedgeAfter",
      expected = "hedgeAfter: whether it may run twice at once is said there")
  static class HedgedByProperty {
    @Command(commandProperties = @CommandProperty(name = "hedge.atMost", value = "2"))
    public String get() {
      return "";
    }
  }

  @Wrong(
      where = "get()",
      found = "hedgeAfter on a method that runs on its caller's thread",
      expected = "a thread pool or virtual threads: that thread is busy with the first attempt")
  static class HedgedHere {
    @Command(hedgeAfter = "50ms", isolation = IsolationStrategy.SEMAPHORE)
    public String get() {
      return "";
    }
  }

  @Wrong(
      where = "get()",
      found = "hedgeAfter = \"50ms\" on a method that returns a stream",
      expected = "no hedges: what a stream has brought cannot be taken back")
  static class HedgedStream {
    @Command(hedgeAfter = "50ms")
    public Flowable<String> get() {
      return Flowable.empty();
    }
  }

  @Wrong(
      where = "one(String)",
      found = "a batchMethod with hedgeAfter",
      expected = "no hedges: the batches of a collapser have one attempt")
  static class HedgedBatch {
    @Collapsed(batchMethod = "many")
    public String one(String id) {
      return "";
    }

    @Command(hedgeAfter = "50ms")
    public List<String> many(List<String> ids) {
      return ids;
    }
  }

  @Wrong(
      where = "get()",
      found = "sharedBudget without attempts and hedgeAfter",
      expected = "one of them beside it: only further attempts are drawn on a budget")
  static class BudgetOfNothing {
    @Command(sharedBudget = "Warehouse")
    public String get() {
      return "";
    }
  }

  @Wrong(
      where = "get()",
      found = "sharedBudget = \"default\"",
      expected = "a name that is not blank, nor default, which stands for all names")
  static class BudgetOfAll {
    @Command(attempts = 2, sharedBudget = "default")
    public String get() {
      return "";
    }
  }

  @Wrong(
      where = "get()",
      found = "@Command says timeout = \"50ms\" and execution.timeout.enabled = false",
      expected = "one of the two")
  static class TimeoutWithoutTimeouts {
    @Command(
        timeout = "50ms",
        commandProperties = @CommandProperty(name = "execution.timeout.enabled", value = "false"))
    public String get() {
      return "";
    }
  }

  @Wrong(
      where = "get(String)",
      found = "fallbackMethod \"one\", which is @Collapsed: its body never runs",
      expected = "String one(String) or String one(String, Throwable)")
  static class CollapsedFallback {
    @Command(fallbackMethod = "one")
    public String get(String id) {
      return "";
    }

    @Collapsed(batchMethod = "many")
    public String one(String id) {
      return "";
    }

    List<String> many(List<String> ids) {
      return ids;
    }
  }
}
