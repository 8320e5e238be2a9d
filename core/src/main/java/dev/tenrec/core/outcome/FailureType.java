// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

/** Why a call got no answer from its work, in the words of one switch. */
public enum FailureType {
  /** The work failed, or brought a result that counts as a failure, or none. */
  FAILED,
  /** The deadline came first. */
  TIMED_OUT,
  /** The circuit was open, or on trial. */
  SHORT_CIRCUITED,
  /** The thread pool was full. */
  REJECTED_BY_THREAD_POOL,
  /** The semaphore, or the virtual threads, had no permit left. */
  REJECTED_BY_SEMAPHORE,
  /** The rate limiter had no permit left. */
  RATE_LIMITED,
  /** No permit, or no thread, was left for the fallback or for the start of a batch. */
  REJECTED_FALLBACK,
  /** The command was removed, or its Tenrec closed. */
  CLOSED,
  /** The thread that waited was interrupted. */
  INTERRUPTED
}
