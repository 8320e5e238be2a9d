// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.wrong;

import dev.tenrec.annotations.CacheKey;
import dev.tenrec.annotations.CacheRemove;
import dev.tenrec.annotations.CacheResult;
import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandDefaults;
import dev.tenrec.annotations.CommandProperty;
import dev.tenrec.core.config.IsolationStrategy;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import kotlin.coroutines.Continuation;

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
  private static final String KEY =
      "a key that is not blank, nor default, which stands for all keys";

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
      where = "second()",
      found =
          "the key of dev.tenrec.annotations.wrong.WrongBeans$KeyTwice.first() with other settings",
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

  @Wrong(
      where = "byId(long, Continuation)",
      found = "@Command on a suspend function",
      expected =
          "a function that does not suspend, or one that returns a Mono or a CompletionStage")
  static class Suspends {
    @Command
    public Object byId(long id, Continuation<? super String> continuation) {
      return "";
    }
  }

  @Wrong(
      where = "task()",
      found = "@Command on a method that returns FutureTask",
      expected =
          "a value, void, Future, CompletableFuture, CompletionStage, Single, Maybe, Completable,"
              + " Flowable, Observable, Mono or Flux")
  static class FutureOfItsOwn {
    @Command
    public FutureTask<String> task() {
      return new FutureTask<>(() -> "");
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
      where = "byId(long)",
      found = "@CacheResult on a method that is neither @Command nor @Collapsed",
      expected = "one of the two beside it")
  static class CachedNoCommand {
    @CacheResult
    public String byId(long id) {
      return "";
    }
  }

  @Wrong(
      where = "touch(long)",
      found = "@CacheResult on a method that returns nothing",
      expected = "a result")
  static class CachedNothing {
    @Command
    @CacheResult
    public void touch(long id) {}
  }

  @Wrong(
      where = "byId(long)",
      found = "cacheKeyMethod \"key\", but no such method with its parameters",
      expected = "Object key(long)")
  static class CacheKeyMethodMissing {
    @Command
    @CacheResult(cacheKeyMethod = "key")
    public String byId(long id) {
      return "";
    }
  }

  @Wrong(
      where = "of(String)",
      found = "@CacheKey(\"id\") on a String, which has no such property",
      expected = "a property with a getter, a record's accessor, or a public field")
  static class CacheKeyPropertyMissing {
    @Command
    @CacheResult
    public String of(@CacheKey("id") String user) {
      return "";
    }
  }

  @Wrong(
      where = "byId(long)",
      found = "@CacheKey on a parameter of a method that has no cache",
      expected = "@CacheResult or @CacheRemove on the method")
  static class CacheKeyAlone {
    @Command
    public String byId(@CacheKey long id) {
      return "";
    }
  }

  @Wrong(
      where = "change(long)",
      found = "@CacheRemove of \"byId\", which keeps no results",
      expected = "the commandKey of a method with @CacheResult, or its name in this class")
  static class RemovesNothing {
    @CacheRemove(commandKey = "byId")
    public void change(long id) {}
  }

  @Wrong(
      where = "byId(long, String)",
      found = "@Collapsed on a method with 2 parameters",
      expected = "exactly one: what tells the members of a batch apart")
  static class CollapsedOfTwo {
    @Collapsed(batchMethod = "byIds")
    public String byId(long id, String site) {
      return "";
    }
  }

  @Wrong(
      where = "byId(long)",
      found = "batchMethod \"byIds\", but no method of that name",
      expected = "List<String> byIds(List<Long>) or Map<Long, String> byIds(List<Long>)")
  static class BatchMissing {
    @Collapsed(batchMethod = "byIds")
    public String byId(long id) {
      return "";
    }
  }

  @Wrong(
      where = "byId(long)",
      found = "batchMethod \"byIds\", but List<Integer> byIds(List<Long>)",
      expected = "List<String> byIds(List<Long>) or Map<Long, String> byIds(List<Long>)")
  static class BatchOtherAnswers {
    @Collapsed(batchMethod = "byIds")
    public String byId(long id) {
      return "";
    }

    List<Integer> byIds(List<Long> ids) {
      return List.of();
    }
  }

  @Wrong(
      where = "byId(long)",
      found = "properties maxRequestInBatch = 7",
      expected =
          "names no property of a collapser; near names: maxRequestsInBatch,"
              + " requestCache.enabled, timerDelayInMilliseconds")
  static class UnknownCollapserProperty {
    @Collapsed(
        batchMethod = "byIds",
        properties = @CommandProperty(name = "maxRequestInBatch", value = "7"))
    public String byId(long id) {
      return "";
    }

    List<String> byIds(List<Long> ids) {
      return List.of();
    }
  }

  @Wrong(
      where = "all()",
      found = "@CacheResult on a method that returns a stream of items",
      expected = "a single result: a stream's items are not kept")
  static class CachedStream {
    @Command
    @CacheResult
    public io.reactivex.rxjava3.core.Flowable<String> all() {
      return io.reactivex.rxjava3.core.Flowable.empty();
    }
  }
}
