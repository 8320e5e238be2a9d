// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

/**
 * Who takes part.
 *
 * @param payloadBytes how much each call carries, both ways
 * @param around what is around the call of the provider
 * @param attempts how often a consumer calls the provider at most for one request, or for one
 *     attempt of its command
 * @param consumers how many
 * @param threads of each
 * @param permits how many calls of each are with the provider at once, where a command limits them
 */
record Setup(
    int payloadBytes, Guard around, int attempts, int consumers, int threads, int permits) {

  /** As clients are often written: once more, on a new connection. */
  static final int USUAL_ATTEMPTS = 2;

  /** Calls of a guarded consumer that are with the provider at once. */
  static final int USUAL_PERMITS = 20;

  String payload() {
    return payloadBytes / 1_000 + " kB";
  }

  /** Whether there is a command. */
  boolean guarded() {
    return around != Guard.NONE;
  }

  String guard() {
    boolean usual = attempts == USUAL_ATTEMPTS || around.strategy() != null;
    return around.label()
        + (usual ? "" : ", attempts: " + attempts)
        + (permits == USUAL_PERMITS ? "" : ", permits: " + permits);
  }

  @Override
  public String toString() {
    return payload() + ", " + guard();
  }
}
