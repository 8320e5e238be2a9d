// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.exception;

import dev.tenrec.hystrix.HystrixInvokable;
import org.jspecify.annotations.Nullable;

/** What a caller gets if neither the work nor the fallback answered. */
public class HystrixRuntimeException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Why the work did not answer. */
  public enum FailureType {
    /** The instance was executed a second time. */
    BAD_REQUEST_EXCEPTION,
    /** The work threw. */
    COMMAND_EXCEPTION,
    /** The deadline came first. */
    TIMEOUT,
    /** The circuit was open. */
    SHORTCIRCUIT,
    /** The pool was full. */
    REJECTED_THREAD_EXECUTION,
    /** The semaphore was full. */
    REJECTED_SEMAPHORE_EXECUTION,
    /** No permit was left for the fallback. */
    REJECTED_SEMAPHORE_FALLBACK
  }

  private final FailureType failureType;

  @SuppressWarnings("rawtypes") // as its users know the type
  private final Class<? extends HystrixInvokable> commandClass;

  private final @Nullable Throwable fallbackException;

  /**
   * Says why there is no answer.
   *
   * @param failureType why the work did not answer
   * @param commandClass of which command
   * @param message the command's key, and both
   * @param cause what the work threw, or what stands for it
   * @param fallbackException what the fallback threw; null if it was not asked
   */
  @SuppressWarnings("rawtypes") // as its users know the type
  public HystrixRuntimeException(
      FailureType failureType,
      Class<? extends HystrixInvokable> commandClass,
      @Nullable String message,
      @Nullable Throwable cause,
      @Nullable Throwable fallbackException) {
    super(message, cause);
    this.failureType = failureType;
    this.commandClass = commandClass;
    this.fallbackException = fallbackException;
  }

  /** Why the work did not answer. */
  public FailureType getFailureType() {
    return failureType;
  }

  /** The class of the command. */
  @SuppressWarnings("rawtypes") // as its users know the type
  public Class<? extends HystrixInvokable> getImplementingClass() {
    return commandClass;
  }

  /** What the fallback threw; null if it was not asked. */
  public @Nullable Throwable getFallbackException() {
    return fallbackException;
  }
}
