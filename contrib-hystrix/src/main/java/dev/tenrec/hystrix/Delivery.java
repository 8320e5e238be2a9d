// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import io.reactivex.rxjava3.core.Observer;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.plugins.RxJavaPlugins;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The subscription of one observer: what it disposes of, and what brings it its items, at the
 * request of the thread that subscribed.
 *
 * @param <R> one item
 */
final class Delivery<R extends @Nullable Object> implements Disposable {

  private static final Disposable GONE = Disposable.disposed();

  private final AbstractCommand<R> command;
  private final Observer<? super R> observer;

  /** What gives the execution up; {@link #GONE} once it was disposed of, or has ended. */
  private final AtomicReference<@Nullable Disposable> execution = new AtomicReference<>();

  Delivery(AbstractCommand<R> command, Observer<? super R> observer) {
    this.command = command;
    this.observer = observer;
  }

  /** The engine has begun. */
  void follow(Disposable begun) {
    if (!execution.compareAndSet(null, begun) && execution.get() == GONE) {
      begun.dispose();
    }
  }

  void item(R item) {
    if (!isDisposed()) {
      command.observersAtRequest(() -> observer.onNext(item));
    }
  }

  void complete() {
    if (execution.getAndSet(GONE) != GONE) {
      command.observersAtRequest(observer::onComplete);
    }
  }

  void fail(Throwable error) {
    if (execution.getAndSet(GONE) != GONE) {
      command.observersAtRequest(() -> observer.onError(error));
    } else if (!(error instanceof Exception)) { // no exception of the command's is lost news
      RxJavaPlugins.onError(error);
    }
  }

  @Override
  public void dispose() {
    Disposable begun = execution.getAndSet(GONE);
    if (begun != GONE) {
      command.isGivenUp();
      if (begun != null) {
        begun.dispose();
      }
      command.cancelled();
    }
  }

  @Override
  public boolean isDisposed() {
    return execution.get() == GONE;
  }
}
