// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** That the build names the switch rightly: else each test with a hostile logger plays nothing. */
class SwitchedLoggingTest {

  private static final Logger LOG = LoggerFactory.getLogger(SwitchedLoggingTest.class);

  @Test
  void requireInstalled_inTheBuild_findsTheSwitch() {
    SwitchedLogging.requireInstalled();
  }

  @Test
  void on_switchThatThrows_isFeltByWhatLogs() throws Exception {
    List<String> loggers = new CopyOnWriteArrayList<>(); // any thread of the JVM may log
    try (AutoCloseable lines =
        SwitchedLogging.on(
            logger -> {
              loggers.add(logger);
              throw new IllegalStateException("a hostile logger");
            })) {
      assertThatThrownBy(() -> LOG.warn("a line")).hasMessage("a hostile logger");
    }
    LOG.trace("a line that is not switched");
    assertThat(loggers).contains(LOG.getName());
  }
}
