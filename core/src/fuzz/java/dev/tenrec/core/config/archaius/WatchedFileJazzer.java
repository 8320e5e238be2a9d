// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config.archaius;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Whatever bytes a file has, it is taken whole, as the JDK reads it, or not at all. */
class WatchedFileJazzer {

  private final WatchedFileFuzzTest file = new WatchedFileFuzzTest();
  @TempDir Path directory;

  @BeforeEach
  void open() {
    file.directory = directory;
    file.open();
  }

  @AfterEach
  void speakAgain() throws Exception {
    file.speakAgain();
  }

  @FuzzTest(maxDuration = "2m")
  void anyFile_isTakenWholeOrNotAtAll(byte[] content) throws Exception {
    file.look(content);
  }
}
