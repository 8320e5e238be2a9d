// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.wrong;

import dev.tenrec.annotations.CacheKey;
import dev.tenrec.annotations.CacheRemove;
import dev.tenrec.annotations.CacheResult;
import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandProperty;
import dev.tenrec.annotations.wrong.WrongBeans.Wrong;
import io.reactivex.rxjava3.core.Flowable;
import java.util.List;

/** Caches and batches that cannot be, and what is to be said about each. */
public final class WrongCaches {

  private WrongCaches() {}

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
      expected = "exactly one: what distinguishes the members of a batch")
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
    public Flowable<String> all() {
      return Flowable.empty();
    }
  }
}
