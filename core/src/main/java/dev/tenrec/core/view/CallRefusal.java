// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import dev.tenrec.core.outcome.CommandRejectedException.Reason;

/**
 * What refused a call, and on which figures: one of perhaps many that were refused in the same
 * health interval. A call that an open circuit refuses is none of these: see {@link
 * CommandDetails#transitions()}.
 *
 * @param reason what refused it
 * @param bulkhead the name of the pool, semaphore or rate limiter; the command's key if it is its
 *     own
 * @param inUse how many were in flight when it was refused
 * @param limit how many are allowed, of a rate limiter in each period; 0 where there is no such
 *     number
 */
public record CallRefusal(Reason reason, String bulkhead, int inUse, int limit) {

  @Override
  public String toString() {
    return switch (reason) {
      case THREAD_POOL -> "thread pool " + bulkhead + " was full" + figures();
      case SEMAPHORE -> "semaphore " + bulkhead + " had no permit left" + figures();
      case VIRTUAL_THREAD -> "virtual threads of " + bulkhead + " had no permit left" + figures();
      case FALLBACK -> "the fallback of " + bulkhead + " had no permit left" + figures();
      case CALLBACK_EXECUTOR -> "no callback thread was left for the fallback of " + bulkhead;
      case BATCH_START -> "there was no room to start a batch of " + inUse + " requests";
      case RATE_LIMITER ->
          "rate limiter " + bulkhead + " had no permit left (" + limit + " in each period)";
      case CLOSED -> bulkhead + " was closed";
    };
  }

  private String figures() {
    return " (" + inUse + " in flight, " + limit + " allowed)";
  }
}
