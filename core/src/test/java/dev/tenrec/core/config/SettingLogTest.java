// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.view.JournalEntry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** That changed settings are logged; what the lines say, has the test of the log of changes. */
class SettingLogTest {

  private static final String FOR_ALL = "tenrec.command.default.fallback.enabled";

  @BeforeEach
  void requireSwitch() {
    SwitchedLogging.requireInstalled();
  }

  private static boolean isOfChanges(String logger) {
    return logger.endsWith(".ChangeLog");
  }

  private static void commands(Tenrec tenrec) {
    for (String key : List.of("One", "Two", "Three")) {
      tenrec.command(key, (Integer i) -> i).isolation(Isolation.semaphore(1)).build();
    }
  }

  @Test
  void setting_changedForManyCommands_isOneLineEachTimeItChanges() throws Exception {
    List<String> lines = new CopyOnWriteArrayList<>();
    try (Tenrec tenrec = Tenrec.create();
        AutoCloseable switched =
            SwitchedLogging.on(logger -> !isOfChanges(logger) || !lines.add(logger))) {
      commands(tenrec);
      tenrec.set(FOR_ALL, "false");
      assertThat(lines).hasSize(1);
      tenrec.set(FOR_ALL, "no"); // the same value in another word
      assertThat(lines).hasSize(1);
      tenrec.clear(FOR_ALL);
      assertThat(lines).hasSize(2);
    }
  }

  @Test
  void logger_thatThrows_keepsNeitherJournalNorListenersFromAChange() throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    try (Tenrec tenrec =
            Tenrec.builder().onSettingChange(change -> heard.add(change.key())).build();
        AutoCloseable switched =
            SwitchedLogging.on(
                logger -> {
                  if (isOfChanges(logger) || logger.endsWith(".Configuration")) {
                    throw new IllegalStateException("a hostile logger");
                  }
                  return true;
                })) {
      commands(tenrec);
      tenrec.set(FOR_ALL, "false");
      assertThat(heard).containsExactlyInAnyOrder("One", "Two", "Three");
      assertThat(tenrec.journal())
          .hasSize(3)
          .extracting(JournalEntry::text)
          .containsOnly("fallback.enabled true -> false");
    }
  }
}
