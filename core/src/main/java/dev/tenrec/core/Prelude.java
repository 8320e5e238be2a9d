// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.internal.call.WorkBody;
import dev.tenrec.core.work.BeforeWork;
import dev.tenrec.core.work.StreamCallWork;
import org.jspecify.annotations.Nullable;

/**
 * Puts what runs before each work in front of it, as a command is built: without one, a command's
 * body stays as it is, and no call pays for the question.
 *
 * @param first what runs before; null for nothing
 */
record Prelude(@Nullable BeforeWork first) {

  <A extends @Nullable Object, R extends @Nullable Object> WorkBody<A, R> to(WorkBody<A, R> body) {
    BeforeWork before = first;
    if (before == null) {
      return body;
    }
    if (body instanceof WorkBody.Plain<A, R> plain) {
      return new WorkBody.WithCall<>(
          (argument, call) -> {
            before.run(call);
            return plain.work().run(argument);
          });
    }
    if (body instanceof WorkBody.WithCall<A, R> withCall) {
      return new WorkBody.WithCall<>(
          (argument, call) -> {
            before.run(call);
            return withCall.work().run(argument, call);
          });
    }
    if (body instanceof WorkBody.Staged<A, R> staged) {
      return new WorkBody.StagedWithCall<>(
          (argument, call) -> {
            before.run(call);
            return staged.work().start(argument);
          });
    }
    WorkBody.StagedWithCall<A, R> staged = (WorkBody.StagedWithCall<A, R>) body;
    return new WorkBody.StagedWithCall<>(
        (argument, call) -> {
          before.run(call);
          return staged.work().start(argument, call);
        });
  }

  <A extends @Nullable Object, R> StreamCallWork<A, R> to(StreamCallWork<A, R> work) {
    BeforeWork before = first;
    if (before == null) {
      return work;
    }
    return (argument, call) -> {
      before.run(call);
      return work.start(argument, call);
    };
  }

  /** Whether bodies look at their call because of it. */
  boolean isThere() {
    return first != null;
  }
}
