// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.kit.Fuzz;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Programs that are made up, of calls, endings, cancellations, changes of settings, time and
 * closing, do what a model of the rules says: after each step the same answers, counts, circuits
 * and permits.
 */
class ScenarioFuzzTest {

  private static final int PROGRAMS = 60;
  private static final int LONG = 6_000;

  @Test
  void anyProgram_doesWhatTheModelSays() {
    Fuzz.rounds(PROGRAMS, random -> new ScenarioProgram(random).play());
  }

  @Tag("long")
  @Test
  void manyPrograms_doWhatTheModelSays() {
    Fuzz.rounds(LONG, random -> new ScenarioProgram(random).play());
  }
}
