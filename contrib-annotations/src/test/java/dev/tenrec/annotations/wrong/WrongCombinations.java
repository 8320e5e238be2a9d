// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.wrong;

import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandProperty;
import dev.tenrec.annotations.wrong.WrongBeans.Wrong;
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
