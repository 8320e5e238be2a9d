// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config.archaius;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tenrec.metrics.OwnThread;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WatchedFileTest {

  private static final Respelled AS_WRITTEN = new Respelled(UnaryOperator.identity());

  @TempDir Path directory;
  private Path path;
  private WatchedFile file;

  @BeforeEach
  void open() {
    path = directory.resolve("settings.properties");
    file = new WatchedFile(path, AS_WRITTEN);
  }

  private Map<String, String> settled() {
    assertThat(file.look(false).settled()).isFalse();
    WatchedFile.Look second = file.look(false);
    assertThat(second.settled()).isTrue();
    return second.values();
  }

  @Test
  void look_noFile_hasNoValues() {
    assertThat(file.look(false)).isEqualTo(new WatchedFile.Look(Map.of(), true));
  }

  @Test
  void look_fileAppearsAndGoes_followsIt() throws Exception {
    Files.writeString(path, "a = 1\nb: \u00e4\u20ac\\u00e9\n# comment\n");
    assertThat(settled()).isEqualTo(Map.of("a", "1", "b", "\u00e4\u20ac\u00e9"));
    Files.delete(path);
    assertThat(settled()).isEmpty();
  }

  @Test
  void look_halfWritten_neverShowsTheHalf() throws Exception {
    Files.writeString(path, "a=1\nb=1\n");
    assertThat(settled()).isEqualTo(Map.of("a", "1", "b", "1"));
    Files.writeString(path, "");
    assertThat(file.look(false).values()).isEqualTo(Map.of("a", "1", "b", "1"));
    Files.writeString(path, "a=2\n");
    assertThat(file.look(false).values()).isEqualTo(Map.of("a", "1", "b", "1"));
    Files.writeString(path, "a=2\nb=2\n");
    assertThat(settled()).isEqualTo(Map.of("a", "2", "b", "2"));
  }

  @Test
  void look_sameSizeAndTime_seesTheContent() throws Exception {
    FileTime then = FileTime.fromMillis(1_000_000);
    Files.writeString(path, "a=1");
    Files.setLastModifiedTime(path, then);
    assertThat(settled()).isEqualTo(Map.of("a", "1"));
    Files.writeString(path, "a=2");
    Files.setLastModifiedTime(path, then);
    assertThat(settled()).isEqualTo(Map.of("a", "2"));
  }

  @Test
  void look_trusting_takesAtOnce() throws Exception {
    Files.writeString(path, "a=1");
    assertThat(file.look(true)).isEqualTo(new WatchedFile.Look(Map.of("a", "1"), true));
  }

  @Test
  void look_malformed_keepsTheLastContentAndReportsOnce() throws Exception {
    Files.writeString(path, "a=1");
    assertThat(file.look(true).values()).isEqualTo(Map.of("a", "1"));
    Files.writeString(path, "a=\\u12"); // an escape cut in two
    String log =
        logOf(
            () -> {
              for (int i = 0; i < 3; i++) {
                assertThat(file.look(true).values()).isEqualTo(Map.of("a", "1"));
              }
            });
    assertThat(log).containsOnlyOnce("cannot be read").contains(path.toString());
    Files.write(path, new byte[] {'a', '=', (byte) 0xc3}); // a character cut in two
    assertThat(file.look(true).values()).isEqualTo(Map.of("a", "1"));
    Files.writeString(path, "a=2");
    assertThat(file.look(true).values()).isEqualTo(Map.of("a", "2"));
  }

  @Test
  void look_byteOrderMark_isNoPartOfTheFirstKey() throws Exception {
    Files.writeString(path, "\uFEFFa=1\nb=2\n");
    assertThat(file.look(true).values()).isEqualTo(Map.of("a", "1", "b", "2"));
    Files.writeString(path, "\uFEFF");
    assertThat(file.look(true).values()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=1\n# \\uZZZZ is fine here\nb=\\uZZZZ\n", "a=1\n\nb=\\\\\\u12\n"})
  void look_badEscape_namesItsLine(String content) throws Exception {
    Files.writeString(path, content);
    String log = logOf(() -> assertThat(file.look(true).values()).isEmpty());
    assertThat(log).contains("line 3").contains(path.toString());
  }

  @Test
  void look_otherEncodings_areReportedAndLoseNothingThatWas() throws Exception {
    Files.writeString(path, "a=1");
    assertThat(file.look(true).values()).isEqualTo(Map.of("a", "1"));
    Files.write(path, "a=2\n".getBytes(StandardCharsets.UTF_16)); // with a mark
    assertThat(logOf(this::lookFindsTheLastContent)).contains("not UTF-8 at byte 0");
    Files.write(path, "a=2\n".getBytes(StandardCharsets.UTF_16LE)); // without
    assertThat(logOf(this::lookFindsTheLastContent)).contains("not text in UTF-8");
    Files.write(path, "a=\u00e4\n".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(logOf(this::lookFindsTheLastContent)).contains("not UTF-8 at byte 2");
  }

  private void lookFindsTheLastContent() {
    assertThat(file.look(true).values()).isEqualTo(Map.of("a", "1"));
  }

  @Test
  @OwnThread
  void look_namedPipe_isReportedAndNotWaitedFor() throws Exception {
    assumeTrue(madePipe());
    String log = logOf(() -> assertThat(file.look(true).values()).isEmpty());
    assertThat(log).contains("a pipe or a device");
    Files.delete(path);
    Files.writeString(path, "a=1");
    assertThat(file.look(true).values()).isEqualTo(Map.of("a", "1"));
  }

  private boolean madePipe() throws InterruptedException {
    try {
      return new ProcessBuilder("mkfifo", path.toString()).start().waitFor() == 0;
    } catch (IOException noSuchProgram) {
      return false;
    }
  }

  @Test
  @OwnThread
  void look_deviceWithoutEnd_isReportedAndNotRead() throws Exception {
    Path zero = Path.of("/dev/zero");
    assumeTrue(Files.exists(zero));
    WatchedFile device = new WatchedFile(zero, AS_WRITTEN);
    String log = logOf(() -> assertThat(device.look(true).values()).isEmpty());
    assertThat(log).contains("a pipe or a device");
  }

  @Test
  void look_enormous_isReportedAndNotTaken() throws Exception {
    Files.writeString(path, "a=1");
    assertThat(file.look(true).values()).isEqualTo(Map.of("a", "1"));
    try (RandomAccessFile sparse = new RandomAccessFile(path.toFile(), "rw")) {
      sparse.setLength(WatchedFile.MOST_BYTES + 1L);
    }
    assertThat(logOf(this::lookFindsTheLastContent)).contains("larger than");
  }

  @Test
  void look_unreadable_keepsTheLastContentAndTriesAgain() throws Exception {
    Files.writeString(path, "a=1");
    assertThat(file.look(true).values()).isEqualTo(Map.of("a", "1"));
    Files.delete(path);
    Files.createDirectory(path); // cannot be read as a file, by root neither
    String log =
        logOf(
            () -> {
              for (int i = 0; i < 3; i++) {
                assertThat(file.look(true).values()).isEqualTo(Map.of("a", "1"));
              }
            });
    assertThat(log).containsOnlyOnce("cannot be read");
    Files.delete(path);
    Files.writeString(path, "a=1\nb=1");
    assertThat(file.look(true).values()).isEqualTo(Map.of("a", "1", "b", "1"));
  }

  private static String logOf(Runnable action) {
    PrintStream before = System.err;
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    try {
      action.run();
    } finally {
      System.setErr(before);
    }
    return written.toString(StandardCharsets.UTF_8);
  }
}
