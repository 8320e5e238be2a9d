// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config.archaius;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.kit.Fuzz;
import dev.tenrec.core.kit.SwitchedLogging;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a file has, its values are those that are written in it, or stay as they were. */
class WatchedFileFuzzTest {

  @TempDir Path directory;
  private Path path;
  private WatchedFile file;
  private Map<String, String> last = Map.of();
  private AutoCloseable silence;

  @BeforeEach
  void open() {
    path = directory.resolve("settings.properties");
    file = new WatchedFile(path, new Respelled(UnaryOperator.identity()));
    silence = SwitchedLogging.on(logger -> !logger.equals(WatchedFile.class.getName()));
  }

  @AfterEach
  void speakAgain() throws Exception {
    silence.close();
  }

  @Test
  void anyFile_isTakenWholeOrNotAtAll() {
    Fuzz.rounds(Fuzz.IN_EACH_BUILD, this::round);
  }

  @Tag("long")
  @Test
  void manyFiles_areTakenWholeOrNotAtAll() {
    Fuzz.rounds(Fuzz.LONG, this::round);
  }

  private void round(Random random) throws Exception {
    look(content(random));
  }

  void look(byte[] content) throws Exception {
    Files.write(path, content);

    Map<String, String> expected = valuesOf(content);

    Map<String, String> found = file.look(true).values();
    assertThat(found).isEqualTo(expected == null ? last : expected);
    last = found;
  }

  private static byte[] content(Random random) throws Exception {
    StringWriter written = new StringWriter();
    Properties properties = new Properties();
    int keys = random.nextInt(4);
    for (int i = 0; i < keys; i++) {
      properties.setProperty(Fuzz.text(random), Fuzz.text(random));
    }
    properties.store(written, null);
    return switch (random.nextInt(4)) {
      case 0 -> {
        byte[] any = new byte[random.nextInt(40)];
        random.nextBytes(any);
        yield any;
      }
      case 1 -> Fuzz.text(random).getBytes(StandardCharsets.UTF_16LE);
      case 2 -> written.toString().getBytes(StandardCharsets.UTF_8);
      default -> Fuzz.mutilated(random, written.toString()).getBytes(StandardCharsets.UTF_8);
    };
  }

  /** By the JDK alone; null if it is no such file. */
  private static Map<String, String> valuesOf(byte[] content) throws Exception {
    String text = new String(content, StandardCharsets.UTF_8);
    if (!Arrays.equals(text.getBytes(StandardCharsets.UTF_8), content)
        || text.chars().anyMatch(c -> c == 0)) {
      return null;
    }
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text.replaceFirst("^\uFEFF", "")));
    } catch (IllegalArgumentException malformed) {
      return null;
    }
    Map<String, String> values = new HashMap<>();
    properties.forEach((key, value) -> values.put((String) key, (String) value));
    return values;
  }
}
