// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import java.time.Duration;
import java.util.List;

/**
 * How large a run is.
 *
 * @param additions how many random numbers the provider adds in each call
 * @param users levels of the closed load on one consumer; the first is what a capacity is
 * @param levelMillis how long each of them lasts
 * @param warmUpMillis how long JVMs are warmed up that have just begun
 * @param calmWindows windows of the open load before the surge
 * @param surgeWindows windows of the surge
 * @param afterWindows windows after it
 * @param windowMillis how long a window is
 * @param threads of each consumer
 * @param callMillis how long a consumer waits for the provider, each attempt
 * @param callerMillis how long the driver waits for a consumer
 * @param mostPerSecond the load is never more than that, however fast the machine is
 * @param full whether each payload is tried with and without a command, and has a capacity of its
 *     own, and the first is also tried with one attempt, and with a command without a circuit; if
 *     not, the first is tried without a command, the last with one
 */
record Form(
    int additions,
    List<Integer> users,
    int levelMillis,
    int warmUpMillis,
    int calmWindows,
    int surgeWindows,
    int afterWindows,
    int windowMillis,
    int threads,
    int callMillis,
    int callerMillis,
    int mostPerSecond,
    boolean full) {

  /** 1 kB and 100 kB. */
  static final List<Integer> PAYLOADS = List.of(1_000, 100_000);

  /** As the original was, at a size for two cores: some six minutes. */
  static final Form FULL =
      new Form(
          /* additions= */ 300_000,
          /* users= */ List.of(10, 20, 50, 100, 200, 500),
          /* levelMillis= */ 4_000,
          /* warmUpMillis= */ 3_000,
          /* calmWindows= */ 3,
          /* surgeWindows= */ 2,
          /* afterWindows= */ 20,
          /* windowMillis= */ 2_000,
          /* threads= */ 400,
          /* callMillis= */ 500,
          /* callerMillis= */ 5_000,
          /* mostPerSecond= */ 2_400,
          /* full= */ true);

  /** What shows the shape, with 1 kB: some fifty seconds. */
  static final Form DEMO =
      new Form(
          /* additions= */ 300_000,
          /* users= */ List.of(10),
          /* levelMillis= */ 2_000,
          /* warmUpMillis= */ 2_000,
          /* calmWindows= */ 2,
          /* surgeWindows= */ 3,
          /* afterWindows= */ 10,
          /* windowMillis= */ 1_000,
          /* threads= */ 400,
          /* callMillis= */ 500,
          /* callerMillis= */ 5_000,
          /* mostPerSecond= */ 2_400,
          /* full= */ false);

  /** How much of the capacity other limits keep in the surge, with 1 kB: two minutes. */
  static final Form GUARDS =
      new Form(
          /* additions= */ 300_000,
          /* users= */ List.of(10),
          /* levelMillis= */ 4_000,
          /* warmUpMillis= */ 3_000,
          /* calmWindows= */ 1,
          /* surgeWindows= */ 2,
          /* afterWindows= */ 2,
          /* windowMillis= */ 2_000,
          /* threads= */ 400,
          /* callMillis= */ 500,
          /* callerMillis= */ 5_000,
          /* mostPerSecond= */ 2_400,
          /* full= */ false);

  /** Whether it runs, and all counts agree. */
  static final Form SHORT =
      new Form(
          /* additions= */ 100_000,
          /* users= */ List.of(10),
          /* levelMillis= */ 300,
          /* warmUpMillis= */ 200,
          /* calmWindows= */ 1,
          /* surgeWindows= */ 1,
          /* afterWindows= */ 1,
          /* windowMillis= */ 500,
          /* threads= */ 60,
          /* callMillis= */ 1_000,
          /* callerMillis= */ 3_000,
          /* mostPerSecond= */ 250,
          /* full= */ false);

  /** What further attempts do to the same provider, with 1 kB: some three minutes. */
  static final Form ATTEMPTS =
      new Form(
          /* additions= */ 300_000,
          /* users= */ List.of(10),
          /* levelMillis= */ 4_000,
          /* warmUpMillis= */ 3_000,
          /* calmWindows= */ 3,
          /* surgeWindows= */ 4,
          /* afterWindows= */ 22,
          /* windowMillis= */ 1_000,
          /* threads= */ 400,
          /* callMillis= */ 500,
          /* callerMillis= */ 5_000,
          /* mostPerSecond= */ 2_400,
          /* full= */ false);

  /** The same in a minute. */
  static final Form ATTEMPTS_DEMO =
      new Form(
          /* additions= */ 300_000,
          /* users= */ List.of(10),
          /* levelMillis= */ 1_000,
          /* warmUpMillis= */ 800,
          /* calmWindows= */ 1,
          /* surgeWindows= */ 1,
          /* afterWindows= */ 5,
          /* windowMillis= */ 1_000,
          /* threads= */ 400,
          /* callMillis= */ 500,
          /* callerMillis= */ 3_000,
          /* mostPerSecond= */ 2_400,
          /* full= */ false);

  /** Connections of the consumer alone, as the original had. */
  static final int STEADY_THREADS = 10;

  /** At once, as in the original, where it takes two to have the provider collapse. */
  static final int CONSUMERS = 2;

  static final int PROVIDER_HEAP_MEGABYTES = 256;
  static final int CONSUMER_HEAP_MEGABYTES = 512;

  /** What the load is, of what the provider can do. */
  static final double CALM_SHARE = 0.25;

  static final double SURGE_SHARE = 2.2;

  /** Who takes part in the surges of this payload, one after the other. */
  List<Setup> surges(int payloadBytes) {
    boolean first = payloadBytes == PAYLOADS.get(0);
    Setup unguarded = surge(payloadBytes, Guard.NONE, Setup.USUAL_ATTEMPTS);
    Setup guarded = surge(payloadBytes, Guard.FULL, Setup.USUAL_ATTEMPTS);
    if (equals(GUARDS)) {
      return List.of(
          guarded,
          surge(payloadBytes, Guard.NO_CIRCUIT, Setup.USUAL_ATTEMPTS),
          limited(payloadBytes, Guard.NO_CIRCUIT, 3),
          limited(payloadBytes, Guard.NO_CIRCUIT, 6),
          limited(payloadBytes, Guard.NO_CIRCUIT, 40),
          limited(payloadBytes, Guard.NO_CIRCUIT, 80),
          limited(payloadBytes, Guard.FULL, 80));
    }
    if (equals(DEMO)) {
      return List.of(unguarded, guarded);
    }
    if (!full) {
      return List.of(first ? unguarded : guarded);
    }
    return first
        ? List.of(
            unguarded,
            surge(payloadBytes, Guard.NONE, 1),
            guarded,
            surge(payloadBytes, Guard.NO_CIRCUIT, Setup.USUAL_ATTEMPTS))
        : List.of(unguarded, guarded);
  }

  /** The same, with so many windows after the surge. */
  Form watched(int windows) {
    return new Form(
        additions,
        users,
        levelMillis,
        warmUpMillis,
        calmWindows,
        surgeWindows,
        windows,
        windowMillis,
        threads,
        callMillis,
        callerMillis,
        mostPerSecond,
        full);
  }

  /** All consumers, each asking so often at most. */
  Setup surge(int payloadBytes, Guard around, int attempts) {
    return new Setup(payloadBytes, around, attempts, CONSUMERS, threads, Setup.USUAL_PERMITS);
  }

  private Setup limited(int payloadBytes, Guard around, int permits) {
    return new Setup(payloadBytes, around, Setup.USUAL_ATTEMPTS, CONSUMERS, threads, permits);
  }

  /** Calls of a full outage. */
  int outageCalls() {
    return full || equals(ATTEMPTS) ? 2_000 : 400;
  }

  /** Windows of the open load. */
  int windows() {
    return calmWindows + surgeWindows + afterWindows;
  }

  /** When this window begins, since the load did. */
  long beginNanos(int window) {
    return Duration.ofMillis((long) window * windowMillis).toNanos();
  }

  double windowSeconds() {
    return windowMillis / 1e3;
  }

  Duration callerTimeout() {
    return Duration.ofMillis(callerMillis);
  }

  /** Connections the driver may need at once. */
  int mostCallers() {
    int most = mostPerSecond * callerMillis / 1_000;
    return Math.max(most, users.stream().mapToInt(level -> level).max().orElse(1));
  }
}
