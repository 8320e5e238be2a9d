// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.startup;

import dev.tenrec.annotations.Command;

/**
 * Ten commands with a fallback. Each subclass has ten of its own, for keys begin with the class.
 */
public class TenMethods {

  /** How many there are. */
  public static final int METHODS = 10;

  @Command(fallbackMethod = "instead", timeout = "300ms")
  public String method0(String question) {
    return question;
  }

  @Command(fallbackMethod = "instead", timeout = "300ms")
  public String method1(String question) {
    return question;
  }

  @Command(fallbackMethod = "instead", timeout = "300ms")
  public String method2(String question) {
    return question;
  }

  @Command(fallbackMethod = "instead", timeout = "300ms")
  public String method3(String question) {
    return question;
  }

  @Command(fallbackMethod = "instead", timeout = "300ms")
  public String method4(String question) {
    return question;
  }

  @Command(fallbackMethod = "instead", timeout = "300ms")
  public String method5(String question) {
    return question;
  }

  @Command(fallbackMethod = "instead", timeout = "300ms")
  public String method6(String question) {
    return question;
  }

  @Command(fallbackMethod = "instead", timeout = "300ms")
  public String method7(String question) {
    return question;
  }

  @Command(fallbackMethod = "instead", timeout = "300ms")
  public String method8(String question) {
    return question;
  }

  @Command(fallbackMethod = "instead", timeout = "300ms")
  public String method9(String question) {
    return question;
  }

  String instead(String question) {
    return "instead";
  }
}
