// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.kit.ChildJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A request's log that found no memory once. Played by {@link RequestLogChild}. */
class RequestLogMemoryTest {

  @Test
  void log_thatFoundNoMemoryToGrow_growsWhenThereIs(@TempDir Path directory) throws Exception {
    ChildJvm.with("-Xmx48m", "-XX:+UseSerialGC").run(directory, 60, RequestLogChild.class);
  }
}
