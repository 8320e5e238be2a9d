// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.exception;

/** The deadline of an execution came before its answer; what {@code getExecutionException} has. */
public class HystrixTimeoutException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Without a message: the execution has the key. */
  public HystrixTimeoutException() {}
}
