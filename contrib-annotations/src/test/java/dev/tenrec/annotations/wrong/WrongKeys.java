// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.wrong;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandProperty;
import dev.tenrec.annotations.wrong.WrongBeans.Wrong;

/** Keys that cannot be, and what is to be said about each. */
public final class WrongKeys {

  private static final String KEY =
      "a key that is not blank, nor default, which stands for all keys";

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

  @Wrong(
      where = "second()",
      found =
          "the key of dev.tenrec.annotations.wrong.WrongKeys$KeyTwice.first() with other settings",
      expected = "one key, one description")
  static class KeyTwice {
    @Command(commandKey = "KeyTwice", timeout = "1s")
    public String first() {
      return "";
    }

    @Command(commandKey = "KeyTwice", timeout = "2s")
    public String second() {
      return "";
    }
  }

  @Wrong(where = "byId()", found = "commandKey = \"default\"", expected = KEY)
  static class KeyDefault {
    @Command(commandKey = "default")
    public String byId() {
      return "";
    }
  }

  @Wrong(
      where = "at(String)",
      found = "commandKey = \"at-#{#sight}\", which names #sight",
      expected = "one of #site, #p0, #a0")
  static class UnknownVariable {
    @Command(commandKey = "at-#{#sight}")
    public String at(String site) {
      return "";
    }
  }

  @Wrong(
      where = "at(String)",
      found = "commandKey = \"at-#{#site.}\": ",
      expected = "a SpEL expression in #{..}")
  static class BadExpression {
    @Command(commandKey = "at-#{#site.}")
    public String at(String site) {
      return "";
    }
  }

  @Wrong(
      where = "at(String)",
      found =
          "an expression in the groupKey or threadPoolKey, and none in the commandKey"
              + " PoolByArgument.at",
      expected = "a commandKey with an expression as well: one command has one group and one pool")
  static class PoolByArgument {
    @Command(threadPoolKey = "at-#{#site}")
    public String at(String site) {
      return "";
    }
  }

  @Wrong(where = "at(String)", found = "maxKeys = 0", expected = "1 or more")
  static class NoKeys {
    @Command(commandKey = "at-#{#site}", maxKeys = 0)
    public String at(String site) {
      return "";
    }
  }
}
