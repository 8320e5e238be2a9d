// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.core.Observer;
import org.jspecify.annotations.Nullable;

/**
 * One execution, when it is subscribed to. A second subscriber gets the error of an instance that
 * is executed twice.
 *
 * @param <R> one item
 */
final class CommandObservable<R extends @Nullable Object> extends Observable<R> {

  private final AbstractCommand<R> command;

  CommandObservable(AbstractCommand<R> command) {
    this.command = command;
  }

  @Override
  protected void subscribeActual(Observer<? super R> observer) {
    Delivery<R> delivery = new Delivery<>(command, observer);
    observer.onSubscribe(delivery);
    if (delivery.isDisposed()) {
      return;
    }
    try {
      command.start(delivery);
    } catch (RuntimeException | Error thrown) {
      delivery.fail(thrown);
    }
  }

  @Override
  public String toString() {
    return "Observable of " + command.key();
  }
}
