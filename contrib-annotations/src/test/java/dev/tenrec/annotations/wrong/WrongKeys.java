// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.wrong;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandProperty;
import dev.tenrec.annotations.wrong.WrongBeans.Wrong;

/** Keys of arguments whose settings are wrong before any argument is there. */
public final class WrongKeys {

  private WrongKeys() {}

  @Wrong(
      where = "bySite(String)",
      found = "tenrec.command.Buckets-#{#p0}.metrics.rollingStats.numBuckets = 7",
      expected =
          "metrics.rollingStats.timeInMilliseconds must divide into"
              + " metrics.rollingStats.numBuckets buckets of whole milliseconds (set in code)")
  static class BucketsOfAKeyOfArguments {
    @Command(
        commandKey = "Buckets-#{#p0}",
        commandProperties = {
          @CommandProperty(name = "metrics.rollingStats.timeInMilliseconds", value = "10000"),
          @CommandProperty(name = "metrics.rollingStats.numBuckets", value = "7")
        })
    public String bySite(String site) {
      return site;
    }
  }

  @Wrong(
      where = "right(String)",
      found = "KeyOfArgumentsTwice.left(String) with other settings: command Twice-#{#p0}",
      expected = "one key, one description")
  static class KeyOfArgumentsTwice {
    @Command(commandKey = "Twice-#{#p0}", timeout = "300ms")
    public String left(String site) {
      return site;
    }

    @Command(commandKey = "Twice-#{#p0}", timeout = "900ms")
    public String right(String site) {
      return site;
    }
  }
}
