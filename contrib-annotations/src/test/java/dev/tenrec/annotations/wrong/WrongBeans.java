// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.wrong;

import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandProperty;
import dev.tenrec.core.config.IsolationStrategy;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;

/** One wrong declaration each, and what is to be said about it. */
public final class WrongBeans {

  private WrongBeans() {}

  /** The one mistake of a class. */
  @Retention(RetentionPolicy.RUNTIME)
  public @interface Wrong {
    String where();

    String found();

    String expected();
  }

  private static final String INTERCEPTABLE =
      "a method that is not private, static or final: calls reach it by a proxy";
  private static final String TIME =
      "a time as 300ms, 2s, 1m, PT0.3S or 300 (milliseconds), or none";

  @Wrong(where = "secret()", found = "@Command on a private method", expected = INTERCEPTABLE)
  static class OnPrivate {
    @Command
    private String secret() {
      return "";
    }

    String open() {
      return secret();
    }
  }

  @Wrong(where = "fixed()", found = "@Command on a final method", expected = INTERCEPTABLE)
  static class OnFinal {
    @Command
    public final String fixed() {
      return "";
    }
  }

  @Wrong(where = "shared()", found = "@Command on a static method", expected = INTERCEPTABLE)
  static class OnStatic {
    @Command
    public static String shared() {
      return "";
    }
  }

  @Wrong(
      where = "byId()",
      found = "@Command in a final class",
      expected = "a class that is not final, or an interface that has the method")
  static final class InFinalClass {
    @Command
    public String byId() {
      return "";
    }
  }

  @Wrong(
      where = "byId(long)",
      found = "both @Command and @Collapsed",
      expected = "one of the two: @Command belongs on the batch method")
  static class TwoAnnotations {
    @Command
    @Collapsed(batchMethod = "byIds")
    public String byId(long id) {
      return "";
    }

    List<String> byIds(List<Long> ids) {
      return List.of();
    }
  }

  @Wrong(
      where = "byId()",
      found = "commandProperties circuitBreaker.enabeld = true",
      expected =
          "names no property of a command; near names: circuitBreaker.enabled,"
              + " circuitBreaker.forceClosed, circuitBreaker.forceOpen")
  static class UnknownProperty {
    @Command(commandProperties = @CommandProperty(name = "circuitBreaker.enabeld", value = "true"))
    public String byId() {
      return "";
    }
  }

  @Wrong(
      where = "byId()",
      found = "threadPoolProperties coreSize = many",
      expected = "must be a whole number of at most 2147483647")
  static class BadValue {
    @Command(threadPoolProperties = @CommandProperty(name = "coreSize", value = "many"))
    public String byId() {
      return "";
    }
  }

  @Wrong(
      where = "byId()",
      found = "commandProperties circuitBreaker.errorThresholdPercentage = 0",
      expected = "must be from 1 to 100")
  static class ValueOutOfRange {
    @Command(
        commandProperties =
            @CommandProperty(name = "circuitBreaker.errorThresholdPercentage", value = "0"))
    public String byId() {
      return "";
    }
  }

  @Wrong(
      where = "byId()",
      found = "commandProperties have circuitBreaker.forceOpen twice",
      expected = "each property once")
  static class PropertyTwice {
    @Command(
        commandProperties = {
          @CommandProperty(name = "circuitBreaker.forceOpen", value = "true"),
          @CommandProperty(name = "circuitBreaker.forceOpen", value = "false")
        })
    public String byId() {
      return "";
    }
  }

  @Wrong(
      where = "byId()",
      found = "command.BreaksARule.byId.metrics.rollingStats.numBuckets = 7",
      expected =
          "metrics.rollingStats.timeInMilliseconds must divide into metrics.rollingStats.numBuckets"
              + " buckets of whole milliseconds (set in code)")
  static class BreaksARule {
    @Command(
        commandProperties = @CommandProperty(name = "metrics.rollingStats.numBuckets", value = "7"))
    public String byId() {
      return "";
    }
  }

  @Wrong(
      where = "byId()",
      found = "commandKey = \"${no.such.key}\", whose placeholder cannot be replaced",
      expected = "a property of that name, or a default as in ${name:default}")
  static class UnknownPlaceholder {
    @Command(commandKey = "${no.such.key}")
    public String byId() {
      return "";
    }
  }

  @Wrong(where = "byId()", found = "timeout = \"soon\"", expected = TIME)
  static class BadTimeout {
    @Command(timeout = "soon")
    public String byId() {
      return "";
    }
  }

  @Wrong(
      where = "byId()",
      found =
          "@Command says timeout twice: by itself and as"
              + " execution.isolation.thread.timeoutInMilliseconds",
      expected = "one of the two")
  static class TimeoutTwice {
    @Command(
        timeout = "1s",
        commandProperties =
            @CommandProperty(
                name = "execution.isolation.thread.timeoutInMilliseconds",
                value = "200"))
    public String byId() {
      return "";
    }
  }

  @Wrong(where = "byId()", found = "@Command has 2 isolations", expected = "one or none")
  static class TwoIsolations {
    @Command(isolation = {IsolationStrategy.THREAD, IsolationStrategy.SEMAPHORE})
    public String byId() {
      return "";
    }
  }

  @Wrong(
      where = "hidden()",
      found = "@Command on a package-private method of a superclass in another package",
      expected = "a method that is public or protected: no proxy can override this one")
  static class PackagePrivateElsewhere extends dev.tenrec.annotations.wrong.elsewhere.Base {}
}
