// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

/**
 * One thing that is wrong with an annotated method.
 *
 * @param where the method, or the class
 * @param found what is there
 * @param expected what was expected: a signature, a rule, or what to do
 */
public record Mistake(String where, String found, String expected) {

  @Override
  public String toString() {
    return where + "\n    found:    " + found + "\n    expected: " + expected;
  }
}
