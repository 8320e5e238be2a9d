// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.wrong;

import dev.tenrec.annotations.CacheKey;
import dev.tenrec.annotations.CacheRemove;
import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.wrong.WrongBeans.Wrong;
import io.reactivex.rxjava3.subjects.PublishSubject;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import kotlin.coroutines.Continuation;
import kotlinx.coroutines.flow.StateFlow;
import org.reactivestreams.Processor;
import reactor.core.publisher.ConnectableFlux;

/** Methods that hand back what no command can answer with, and what is to be said about each. */
public final class WrongReturnTypes {

  private static final String KINDS =
      "a value, void, Future, CompletableFuture, CompletionStage, Single, Maybe, Completable,"
          + " Flowable, Observable, Mono or Flux; of Kotlin, Flow, and a value or Flow of a suspend"
          + " function";

  private WrongReturnTypes() {}

  @Wrong(
      where = "remove(String, Continuation)",
      found = "@CacheRemove on a method that takes a Continuation and is not Kotlin's",
      expected = "a suspend function in a class of Kotlin's: Spring does not call this one as such")
  static class SuspendedRemoval {
    @CacheRemove(commandKey = "get")
    public Object remove(@CacheKey String id, Continuation<? super String> continuation) {
      return "";
    }
  }

  @Wrong(
      where = "remove(String)",
      found = "@CacheRemove on a method that returns a Future, which does not report when it ends",
      expected = "a CompletableFuture, or @Command beside it")
  static class RemovalOfAFuture {
    @CacheRemove(commandKey = "get")
    public Future<String> remove(String id) {
      return new FutureTask<>(() -> "");
    }
  }

  @Wrong(where = "get()", found = "@Command on a method that returns Observable", expected = KINDS)
  static class OldObservable {
    @Command
    public rx.Observable<String> get() {
      return null;
    }
  }

  @Wrong(
      where = "get()",
      found = "@Command on a method that returns PublishSubject",
      expected = KINDS)
  static class ObservableOfItsOwn {
    @Command
    public PublishSubject<String> get() {
      return null;
    }
  }

  @Wrong(
      where = "get()",
      found = "@Command on a method that returns ConnectableFlux",
      expected = KINDS)
  static class ConnectedFlux {
    @Command
    public ConnectableFlux<String> get() {
      return null;
    }
  }

  @Wrong(where = "get()", found = "@Command on a method that returns Processor", expected = KINDS)
  static class ProcessorOfItems {
    @Command
    public Processor<String, String> get() {
      return null;
    }
  }

  @Wrong(where = "get()", found = "@Command on a method that returns StateFlow", expected = KINDS)
  static class KotlinState {
    @Command
    public StateFlow<String> get() {
      return null;
    }
  }

  @Wrong(
      where = "byId(long, Continuation)",
      found = "@Command on a method that takes a Continuation and is not Kotlin's",
      expected = "a suspend function in a class of Kotlin's: Spring does not call this one as such")
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
              + " Flowable, Observable, Mono or Flux; of Kotlin, Flow, and a value or Flow of a"
              + " suspend function")
  static class FutureOfItsOwn {
    @Command
    public FutureTask<String> task() {
      return new FutureTask<>(() -> "");
    }
  }
}
