// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config.archaius;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@code .properties} file in UTF-8 that is looked at again and again. A file that is not there
 * is one without values; one that cannot be read or parsed leaves the values as they were, and is
 * told once.
 *
 * <p>The content is compared, not the time and size of the file: either can stay the same while the
 * content changes, and reading it costs next to nothing. A new content counts only when two looks
 * in a row have found it, because one look may find a file half written.
 *
 * <p>Not thread-safe.
 */
final class WatchedFile {

  private static final Logger LOG = LoggerFactory.getLogger(WatchedFile.class);
  private static final byte[] ABSENT = {};

  private final Path path;
  private byte[] applied = ABSENT;
  private byte[] seen = ABSENT;
  private Map<String, String> values = Map.of();
  private @Nullable String trouble;

  WatchedFile(Path path) {
    this.path = path;
  }

  /**
   * What a look found.
   *
   * @param values the values that count
   * @param settled whether the file is the same as when it was looked at before; if not, another
   *     look is due soon
   */
  record Look(Map<String, String> values, boolean settled) {}

  /** Looks once; {@code trust} has what it finds count without a second look. */
  Look look(boolean trust) {
    byte[] content;
    try {
      content = read();
    } catch (IOException failed) {
      told(failed);
      return new Look(values, true);
    }
    boolean settled = trust || Arrays.equals(content, seen);
    seen = content;
    if (settled && (trouble != null || !Arrays.equals(content, applied))) {
      take(content);
    }
    return new Look(values, settled);
  }

  private void take(byte[] content) {
    try {
      values = parse(content);
      applied = content;
      trouble = null;
    } catch (IOException | IllegalArgumentException failed) {
      told(failed);
    }
  }

  private byte[] read() throws IOException {
    try {
      return Files.readAllBytes(path);
    } catch (NoSuchFileException notThere) {
      return ABSENT;
    }
  }

  /**
   * An IOException if the content is not UTF-8, an IllegalArgumentException if it has a malformed
   * escape.
   */
  private static Map<String, String> parse(byte[] content) throws IOException {
    Properties properties = new Properties();
    properties.load(
        new StringReader(
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString()));
    Map<String, String> values = new HashMap<>();
    properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
    return Map.copyOf(values);
  }

  private void told(Exception failed) {
    if (!failed.toString().equals(trouble)) {
      trouble = failed.toString();
      LOG.warn(
          "The settings file {} cannot be read ({}); its last values stay, and it is looked at again",
          path,
          trouble);
    }
  }
}
