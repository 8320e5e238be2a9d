// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.thrift;

/**
 * Who takes part.
 *
 * @param payloadBytes how much each call carries, both ways
 * @param guarded whether there is a command around the call of the provider
 * @param consumers how many
 * @param threads of each
 */
record Setup(int payloadBytes, boolean guarded, int consumers, int threads) {

  String payload() {
    return payloadBytes / 1_000 + " kB";
  }

  String guard() {
    return guarded ? "guarded" : "unguarded";
  }

  @Override
  public String toString() {
    return payload() + ", " + guard();
  }
}
