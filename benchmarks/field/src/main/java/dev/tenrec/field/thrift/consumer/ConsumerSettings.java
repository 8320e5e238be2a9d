// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.consumer;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer is started with.
 *
 * @param providerPort where the provider listens
 * @param payloadBytes how much each call carries, both ways
 * @param additions how many random numbers the provider adds in each call
 * @param threads how many HTTP requests are served at once
 * @param permits how many calls of the provider a command lets through at once; 0 for no command
 * @param circuit whether that command has a circuit
 * @param timeoutMillis of one attempt, and of a guarded call with all its attempts
 * @param attempts how often the provider is called at most for one request
 * @param mostCallers how many HTTP connections it has to hold
 * @param strategy of a command that limits nothing and makes further attempts; null for none, and
 *     else there are neither permits nor a circuit
 */
public record ConsumerSettings(
    int providerPort,
    int payloadBytes,
    int additions,
    int threads,
    int permits,
    boolean circuit,
    int timeoutMillis,
    int attempts,
    int mostCallers,
    @Nullable Strategy strategy) {

  private static final int NO_STRATEGY = -1;

  /** For {@link ConsumerMain}. */
  public List<String> arguments() {
    return Stream.of(
            providerPort,
            payloadBytes,
            additions,
            threads,
            permits,
            circuit ? 1 : 0,
            timeoutMillis,
            attempts,
            mostCallers,
            strategy == null ? NO_STRATEGY : strategy.ordinal())
        .map(number -> Integer.toString(number))
        .toList();
  }

  static ConsumerSettings of(String[] arguments) {
    int[] numbers = Stream.of(arguments).mapToInt(Integer::parseInt).toArray();
    if (numbers.length != 10) {
      throw new IllegalArgumentException(
          "there are " + numbers.length + " arguments, expected 10 numbers");
    }
    return new ConsumerSettings(
        numbers[0],
        numbers[1],
        numbers[2],
        numbers[3],
        numbers[4],
        numbers[5] == 1,
        numbers[6],
        numbers[7],
        numbers[8],
        numbers[9] == NO_STRATEGY ? null : Strategy.values()[numbers[9]]);
  }
}
