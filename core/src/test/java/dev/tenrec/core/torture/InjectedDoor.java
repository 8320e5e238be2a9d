// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.observers.DisposableMaybeObserver;
import io.reactivex.rxjava3.observers.DisposableSingleObserver;
import io.reactivex.rxjava3.subscribers.DisposableSubscriber;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** The doors of an {@link InjectedScenario}: of a command, a collapser and a stream. */
enum InjectedDoor {
  EXECUTE {
    @Override
    void call(InjectedSubject subject, InjectedCaller caller) {
      caller.ends(subject.command().execute(ARGUMENT), null);
    }
  },
  ATTEMPT {
    @Override
    void call(InjectedSubject subject, InjectedCaller caller) {
      Outcome<String> outcome = subject.command().attempt(ARGUMENT);
      caller.ends(outcome.value(), outcome.error());
    }
  },
  EXECUTE_ASYNC {
    @Override
    void call(InjectedSubject subject, InjectedCaller caller) throws InterruptedException {
      follow(subject.command().executeAsync(ARGUMENT), caller);
    }
  },
  ATTEMPT_ASYNC {
    @Override
    void call(InjectedSubject subject, InjectedCaller caller) throws InterruptedException {
      CompletableFuture<Outcome<String>> future = subject.command().attemptAsync(ARGUMENT);
      follow(future, caller, outcome -> caller.answered(outcome.value(), outcome.error()));
    }
  },
  TO_SINGLE {
    @Override
    void call(InjectedSubject subject, InjectedCaller caller) {
      DisposableSingleObserver<String> observer =
          new DisposableSingleObserver<>() {
            @Override
            public void onSuccess(String value) {
              caller.ends(value, null);
            }

            @Override
            public void onError(Throwable error) {
              caller.ends(null, error);
            }
          };
      subject.command().toSingle(ARGUMENT).subscribe(observer);
      caller.mayDispose(observer);
    }
  },
  ATTEMPT_SINGLE {
    @Override
    void call(InjectedSubject subject, InjectedCaller caller) {
      DisposableSingleObserver<Outcome<String>> observer =
          new DisposableSingleObserver<>() {
            @Override
            public void onSuccess(Outcome<String> outcome) {
              caller.ends(outcome.value(), outcome.error());
            }

            @Override
            public void onError(Throwable error) {
              caller.ends(null, error);
            }
          };
      subject.command().attemptSingle(ARGUMENT).subscribe(observer);
      caller.mayDispose(observer);
    }
  },
  TO_MAYBE {
    @Override
    void call(InjectedSubject subject, InjectedCaller caller) {
      DisposableMaybeObserver<String> observer =
          new DisposableMaybeObserver<>() {
            @Override
            public void onSuccess(String value) {
              caller.ends(value, null);
            }

            @Override
            public void onComplete() {
              caller.ends(null, null);
            }

            @Override
            public void onError(Throwable error) {
              caller.ends(null, error);
            }
          };
      subject.command().toMaybe(ARGUMENT).subscribe(observer);
      caller.mayDispose(observer);
    }
  },
  RECEIVER {
    @Override
    void call(InjectedSubject subject, InjectedCaller caller) {
      caller.mayDispose(subject.command().execute(ARGUMENT, receiver(caller)));
    }
  },
  GUARD {
    @Override
    void call(InjectedSubject subject, InjectedCaller caller) {
      caller.ends(subject.callGuarded(), null);
    }
  },
  GUARD_ASYNC {
    @Override
    void call(InjectedSubject subject, InjectedCaller caller) throws InterruptedException {
      follow(subject.callGuardedAsync(), caller);
    }
  },
  MEMBER {
    @Override
    void call(InjectedSubject subject, InjectedCaller caller) {
      caller.ends(subject.collapser().execute(ARGUMENT), null);
    }
  },
  MEMBER_ASYNC {
    @Override
    void call(InjectedSubject subject, InjectedCaller caller) throws InterruptedException {
      follow(subject.collapser().executeAsync(ARGUMENT), caller);
    }
  },
  STREAM {
    @Override
    void call(InjectedSubject subject, InjectedCaller caller) {
      DisposableSubscriber<String> subscriber =
          new DisposableSubscriber<>() {
            private String last;

            @Override
            public void onNext(String item) {
              last = item;
            }

            @Override
            public void onError(Throwable error) {
              caller.ends(null, error);
            }

            @Override
            public void onComplete() {
              caller.ends(last, null);
            }
          };
      subject.stream().toFlowable(ARGUMENT).subscribe(subscriber);
      caller.mayDispose(subscriber);
    }
  };

  static final String ARGUMENT = "x";

  /** Calls on this thread; what it throws is the ending. */
  abstract void call(InjectedSubject subject, InjectedCaller caller) throws Exception;

  boolean isGuard() {
    return this == GUARD || this == GUARD_ASYNC;
  }

  /**
   * Whether it leads to the same place as another one, by a way of its own out of it only. These
   * take turns where there is no time for all.
   */
  boolean isVariant() {
    return this == ATTEMPT_ASYNC || this == ATTEMPT_SINGLE || this == TO_MAYBE || isGuard();
  }

  boolean isMember() {
    return this == MEMBER || this == MEMBER_ASYNC;
  }

  /** Whether the caller's thread is in the call until that is answered, however it is isolated. */
  boolean callerWaits() {
    return this == EXECUTE || this == ATTEMPT || this == GUARD || this == MEMBER;
  }

  /** Whether its answer is a call of the user's code, not something to wait for or look at. */
  boolean callsUserCode() {
    return this == TO_SINGLE
        || this == ATTEMPT_SINGLE
        || this == TO_MAYBE
        || this == RECEIVER
        || this == STREAM;
  }

  /** The future's own word is the answer; what hangs on it is counted, and may come later. */
  private static void follow(CompletableFuture<String> future, InjectedCaller caller)
      throws InterruptedException {
    follow(future, caller, value -> caller.answered(value, null));
  }

  private static <T> void follow(
      CompletableFuture<T> future, InjectedCaller caller, Consumer<T> answered)
      throws InterruptedException {
    CompletableFuture<T> seen = future.whenComplete((value, error) -> caller.counts());
    caller.mayCancel(() -> future.cancel(true));
    try {
      answered.accept(future.get());
    } catch (ExecutionException e) {
      caller.answered(null, e.getCause());
    } catch (RuntimeException e) { // a CancellationException
      caller.answered(null, e);
    }
    if (seen == null) {
      throw new AssertionError("no dependent");
    }
  }

  private static Receiver<String> receiver(InjectedCaller caller) {
    return new Receiver<>() {
      @Override
      public void onValue(String value) {
        caller.ends(value, null);
      }

      @Override
      public void onError(Throwable error) {
        caller.ends(null, error);
      }
    };
  }

  static Runnable disposing(Disposable handle, InjectedCaller caller) {
    return () -> {
      caller.answered(null, null); // receives nothing more
      handle.dispose();
    };
  }
}
