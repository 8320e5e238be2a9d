// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.torture.InjectedSeam.Conduct;
import dev.tenrec.core.torture.Trap.Mishap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No ending is lost by what goes wrong on its way: at every step that a call passes at a seam, one
 * by one, something fails or blocks, for every way to isolate work, every door and every ending.
 * The caller has its one ending all the same, and in time where what blocks is not its own; the
 * permits are back, the counts balance, the threads are clean, and the next call goes through.
 */
class EndingInjectionTest {

  /** More steps than any call passes. */
  private static final int MOST_STEPS = 200;

  /** What is listed of a failure; there may be hundreds of one cause. */
  private static final int MOST_LISTED = Integer.getInteger("tenrec.injection.listed", 60);

  @BeforeEach
  void begins() {
    InjectedScenario.begins();
  }

  @AfterEach
  void ended() {
    InjectedScenario.ended();
  }

  /**
   * Of so many steps of one call one is played; the others are played at other doors and endings,
   * because all of them take minutes.
   */
  private static final int STRIDE = Integer.getInteger("tenrec.injection.stride", 6);

  /** The build on a newer JDK plays steps that the one on 17 leaves out. */
  private static final int FIRST = Runtime.version().feature() > 17 ? STRIDE / 2 : 0;

  static Stream<Arguments> seams() {
    return Stream.of(InjectedSeam.values())
        .filter(seam -> seam != InjectedSeam.EXECUTOR)
        .flatMap(seam -> Way.all().stream().map(way -> Arguments.of(seam, way)));
  }

  static Stream<Arguments> furtherAttempts() {
    return Stream.of(InjectedMeans.HEDGE, InjectedMeans.ATTEMPT_TIMEOUT, InjectedMeans.ROUNDS)
        .flatMap(
            means ->
                Stream.of(InjectedSeam.values())
                    .filter(seam -> seam != InjectedSeam.EXECUTOR)
                    .flatMap(
                        seam ->
                            Way.all().stream()
                                .filter(way -> means.exists(way, InjectedDoor.EXECUTE))
                                .map(way -> Arguments.of(means, seam, way))));
  }

  static Stream<Way> ways() {
    return Way.all().stream();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void ending_whenNothingGoesWrong_isTheExpectedOne(Way way) {
    List<String> missing = new ArrayList<>();
    for (InjectedSeam seam : List.of(InjectedSeam.LISTENER, InjectedSeam.CANCELLER)) {
      everywhere(
          way,
          true,
          missing,
          (door, ending) -> {
            Trap none = new Trap(0, Mishap.RUNTIME_EXCEPTION);
            missing.addAll(
                InjectedScenario.play(
                    InjectedMeans.ONE_ATTEMPT, way, door, ending, seam, none, null));
          });
    }
    assertHolds(missing);
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("seams")
  void ending_whenAStepFailsOrBlocks_isDeliveredAndCountedOnce(InjectedSeam seam, Way way) {
    assertHolds(missing(InjectedMeans.ONE_ATTEMPT, seam, way, STRIDE));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("seams")
  @Tag("long")
  void ending_whenAStepGoesWrongInAnyWay_isDeliveredAndCountedOnce(InjectedSeam seam, Way way) {
    assertHolds(missing(InjectedMeans.ONE_ATTEMPT, seam, way, 1));
  }

  /** Fewer steps: what a call has in common with one that has a single attempt is played above. */
  @ParameterizedTest(name = "{0} {1} {2}")
  @MethodSource("furtherAttempts")
  void endingOfACallOfSeveralAttempts_whenAStepFailsOrBlocks_isDeliveredAndCountedOnce(
      InjectedMeans means, InjectedSeam seam, Way way) {
    assertHolds(missing(means, seam, way, 2 * STRIDE));
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @MethodSource("furtherAttempts")
  @Tag("long")
  void endingOfACallOfSeveralAttempts_whenAStepGoesWrongInAnyWay_isDeliveredAndCountedOnce(
      InjectedMeans means, InjectedSeam seam, Way way) {
    assertHolds(missing(means, seam, way, 1));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void ending_whateverTheCallbackExecutorDoes_isDeliveredAndCountedOnce(Way way) {
    List<String> missing = new ArrayList<>();
    everywhere(
        way,
        false,
        missing,
        (door, ending) -> {
          Conduct[] conducts = Conduct.values();
          for (int i = (FIRST + door.ordinal() + ending.ordinal()) % STRIDE;
              i < conducts.length; ) {
            Conduct conduct = conducts[i];
            i += STRIDE;
            Trap none = new Trap(0, Mishap.RUNTIME_EXCEPTION);
            missing.addAll(
                InjectedScenario.play(
                    InjectedMeans.ONE_ATTEMPT,
                    way,
                    door,
                    ending,
                    InjectedSeam.EXECUTOR,
                    none,
                    conduct));
          }
        });
    assertHolds(missing);
  }

  /** At every so many steps; and that some of them are reached, or none where none can be. */
  private static List<String> missing(InjectedMeans means, InjectedSeam seam, Way way, int stride) {
    if (seam.logs()) {
      SwitchedLogging.requireInstalled();
    }
    List<String> missing = new ArrayList<>();
    AtomicInteger sprung = new AtomicInteger();
    everywhere(
        way,
        stride == 1,
        missing,
        (door, ending) -> {
          if (means.exists(way, door) && seam.isPassedIn(ending)) {
            missing.addAll(missing(means, seam, way, door, ending, stride, sprung));
          }
        });
    boolean expected = seam.isPassedBy(means, way);
    if (sprung.get() > 0 != expected) {
      missing.add(
          "%s | %s %s: of one step in %d, %s were reached, expected %s"
              .formatted(seam, means, way, stride, sprung, expected ? "some" : "none"));
    }
    return missing;
  }

  private static void everywhere(
      Way way, boolean all, List<String> missing, BiConsumer<InjectedDoor, InjectedEnding> look) {
    for (InjectedDoor door : InjectedDoor.values()) {
      for (InjectedEnding ending : InjectedEnding.values()) {
        if (InjectedScenario.hangsTooOften()) {
          missing.add(
              way + " " + door + " " + ending + " and what follows: not looked at any more");
          return;
        }
        boolean left = !all && door.isVariant() && (door.ordinal() + ending.ordinal()) % 4 != 0;
        if (InjectedScenario.exists(way, door) && !left) {
          look.accept(door, ending);
        }
      }
    }
  }

  /** Each step until one that is not passed any more. */
  private static List<String> missing(
      InjectedMeans means,
      InjectedSeam seam,
      Way way,
      InjectedDoor door,
      InjectedEnding ending,
      int stride,
      AtomicInteger allSprung) {
    List<String> missing = new ArrayList<>();
    boolean all = stride == 1;
    int spread = Math.min(stride, seam.steps());
    int first = 1 + (FIRST + door.ordinal() + ending.ordinal() + way.ordinal()) % spread;
    for (int step = first; step <= MOST_STEPS; step += stride) {
      if (InjectedScenario.hangsTooOften()) {
        return missing;
      }
      boolean sprung = false;
      int rotation = step / stride + door.ordinal() + ending.ordinal();
      for (Mishap mishap : InjectedSeam.mishaps(rotation, all)) {
        Trap trap = new Trap(step, mishap);
        missing.addAll(InjectedScenario.play(means, way, door, ending, seam, trap, null));
        if (trap.hasSprung()) {
          sprung = true;
          allSprung.incrementAndGet();
        }
      }
      if (!sprung) {
        return missing;
      }
    }
    missing.add(seam + " | " + way + " " + door + " " + ending + ": its last step was not seen");
    return missing;
  }

  private static void assertHolds(List<String> missing) {
    List<String> listed = missing.subList(0, Math.min(missing.size(), MOST_LISTED));
    assertThat(missing.size()).as("did not hold:%n%s%n", String.join("\n", listed)).isZero();
  }
}
