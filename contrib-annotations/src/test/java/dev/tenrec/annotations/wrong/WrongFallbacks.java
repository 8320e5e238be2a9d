// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.wrong;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandDefaults;
import dev.tenrec.annotations.wrong.WrongBeans.Wrong;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Fallbacks that do not suit what they answer for, and what is to be said about each. */
public final class WrongFallbacks {

  private WrongFallbacks() {}

  @Wrong(
      where = "byId(long)",
      found = "fallbackMethod \"lost\", but no method of that name",
      expected = "String lost(long) or String lost(long, Throwable)")
  static class FallbackMissing {
    @Command(fallbackMethod = "lost")
    public String byId(long id) {
      return "";
    }
  }

  @Wrong(
      where = "byId(long)",
      found = "fallbackMethod \"lost\", but String lost(String)",
      expected = "String lost(long) or String lost(long, Throwable)")
  static class FallbackOtherParameter {
    @Command(fallbackMethod = "lost")
    public String byId(long id) {
      return "";
    }

    String lost(String id) {
      return id;
    }
  }

  @Wrong(
      where = "byId(long)",
      found = "fallbackMethod \"lost\", but String lost(Throwable, long)",
      expected = "String lost(long) or String lost(long, Throwable)")
  static class FallbackExceptionNotLast {
    @Command(fallbackMethod = "lost")
    public String byId(long id) {
      return "";
    }

    String lost(Throwable cause, long id) {
      return "";
    }
  }

  @Wrong(
      where = "byId(long)",
      found = "fallbackMethod \"lost\", but String lost(long, String)",
      expected = "String lost(long) or String lost(long, Throwable)")
  static class FallbackLastIsNoException {
    @Command(fallbackMethod = "lost")
    public String byId(long id) {
      return "";
    }

    String lost(long id, String message) {
      return "";
    }
  }

  @Wrong(
      where = "all(List)",
      found = "fallbackMethod \"lost\", but String lost(List<Integer>)",
      expected = "String lost(List<String>) or String lost(List<String>, Throwable)")
  static class FallbackOtherTypeArgument {
    @Command(fallbackMethod = "lost")
    public String all(List<String> ids) {
      return "";
    }

    String lost(List<Integer> ids) {
      return "";
    }
  }

  @Wrong(
      where = "byId(long)",
      found = "fallbackMethod \"lost\", which returns something else: int lost(long)",
      expected = "String lost(long) or String lost(long, Throwable)")
  static class FallbackOtherReturn {
    @Command(fallbackMethod = "lost")
    public String byId(long id) {
      return "";
    }

    int lost(long id) {
      return 0;
    }
  }

  @Wrong(
      where = "all()",
      found = "fallbackMethod \"none\", which returns something else: List<Integer> none()",
      expected = "List<String> none() or List<String> none(Throwable)")
  static class FallbackOtherReturnArgument {
    @Command(fallbackMethod = "none")
    public List<String> all() {
      return List.of();
    }

    List<Integer> none() {
      return List.of();
    }
  }

  @Wrong(
      where = "byId(long)",
      found =
          "fallbackMethod \"lost\", which returns something else: CompletableFuture<String>"
              + " lost(long)",
      expected = "String lost(long) or String lost(long, Throwable)")
  static class FallbackLaterForNow {
    @Command(fallbackMethod = "lost")
    public String byId(long id) {
      return "";
    }

    CompletableFuture<String> lost(long id) {
      return CompletableFuture.completedFuture("");
    }
  }

  @Wrong(
      where = "later()",
      found = "fallbackMethod \"lost\", which returns something else: int lost()",
      expected = "CompletableFuture<String> lost() or CompletableFuture<String> lost(Throwable)")
  static class FallbackOtherValueForLater {
    @Command(fallbackMethod = "lost")
    public CompletableFuture<String> later() {
      return CompletableFuture.completedFuture("");
    }

    int lost() {
      return 0;
    }
  }

  @Wrong(
      where = "byId(long)",
      found = "fallbackMethod \"lost\", which returns something else: void lost(long)",
      expected = "String lost(long) or String lost(long, Throwable)")
  static class FallbackReturnsNothing {
    @Command(fallbackMethod = "lost")
    public String byId(long id) {
      return "";
    }

    void lost(long id) {}
  }

  /** For the next. */
  static class Generic<T> {
    private String lost(T id) {
      return "T";
    }

    String lost(String id) {
      return "String";
    }
  }

  @Wrong(
      where = "byId(String)",
      found = "fallbackMethod \"lost\", which is ambiguous: String lost(String), String lost(T)",
      expected = "String lost(String) or String lost(String, Throwable)")
  static class FallbackAmbiguous extends Generic<String> {
    @Command(fallbackMethod = "lost")
    public String byId(String id) {
      return "";
    }
  }

  @Wrong(
      where = "byId(long)",
      found = "fallbackMethod \"byId\", which is the method itself",
      expected = "String byId(long) or String byId(long, Throwable)")
  static class FallbackIsItself {
    @Command(fallbackMethod = "byId")
    public String byId(long id) {
      return "";
    }
  }

  @Wrong(
      where = "byId(long)",
      found = "defaultFallback \"nothing\", but String nothing(long)",
      expected = "String nothing() or String nothing(Throwable)")
  static class DefaultFallbackWithArguments {
    @Command(defaultFallback = "nothing")
    public String byId(long id) {
      return "";
    }

    String nothing(long id) {
      return "";
    }
  }

  @CommandDefaults(defaultFallback = "nothing")
  @Wrong(
      where = "count()",
      found =
          "@CommandDefaults defaultFallback \"nothing\", which returns something else: String"
              + " nothing()",
      expected = "int nothing() or int nothing(Throwable)")
  static class ClassFallbackOtherReturn {
    @Command
    public int count() {
      return 0;
    }

    String nothing() {
      return "";
    }
  }

  @Wrong(
      where = "first()",
      found = "fallbacks that lead back to the method itself",
      expected = "a chain of fallbacks that ends")
  static class Circular {
    @Command(fallbackMethod = "second")
    public String first() {
      return "";
    }

    String second(IllegalStateException cause) {
      return "";
    }

    @Command(fallbackMethod = "first")
    public String second() {
      return "";
    }
  }

  @Wrong(
      where = "any()",
      found = "fallbackMethod \"lost\", which returns something else: String lost()",
      expected = "T lost() or T lost(Throwable)")
  static class FallbackOneOfAny {
    @Command(fallbackMethod = "lost")
    public <T> T any() {
      return null;
    }

    private String lost() {
      return "";
    }
  }

  @Wrong(
      where = "all()",
      found = "fallbackMethod \"lost\", which returns something else: List<String> lost()",
      expected = "List<E> lost() or List<E> lost(Throwable)")
  static class FallbackListOfOneOfAny {
    @Command(fallbackMethod = "lost")
    public <E> List<E> all() {
      return List.of();
    }

    private List<String> lost() {
      return List.of();
    }
  }

  @Wrong(
      where = "number()",
      found = "fallbackMethod \"lost\", which returns something else: ",
      expected = "Number lost() or Number lost(Throwable)")
  static class FallbackOtherBound {
    @Command(fallbackMethod = "lost")
    public <T extends Number> T number() {
      return null;
    }

    private <T extends Integer> T lost() {
      return null;
    }
  }

  @Wrong(
      where = "texts()",
      found = "fallbackMethod \"lost\", which returns something else: List lost()",
      expected = "List<String> lost() or List<String> lost(Throwable)")
  static class FallbackRaw {
    @Command(fallbackMethod = "lost")
    public List<String> texts() {
      return List.of();
    }

    @SuppressWarnings("rawtypes") // that is the mistake
    private List lost() {
      return List.of();
    }
  }

  @Wrong(
      where = "lists()",
      found = "fallbackMethod \"lost\", which returns something else: List<List<Integer>> lost()",
      expected = "List<List<String>> lost() or List<List<String>> lost(Throwable)")
  static class FallbackOtherInnerArgument {
    @Command(fallbackMethod = "lost")
    public List<List<String>> lists() {
      return List.of();
    }

    private List<List<Integer>> lost() {
      return List.of();
    }
  }
}
