// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config.archaius;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@code .properties} file in UTF-8 that is looked at again and again. A file that is not there
 * is one without values; one that cannot be read or parsed leaves the values as they were, and is
 * logged once.
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
  private static final Pattern BAD_ESCAPE =
      Pattern.compile("(?<!\\\\)(?:\\\\\\\\)*\\\\u(?!\\p{XDigit}{4})");
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  /** Ten thousand commands with all their properties are half of it. */
  static final int MOST_BYTES = 64 * 1024 * 1024;

  private final Path path;
  private final Respelled respelled;
  private byte[] applied = ABSENT;
  private byte[] seen = ABSENT;
  private Map<String, String> values = Map.of();
  private @Nullable String trouble;

  WatchedFile(Path path, Respelled respelled) {
    this.path = path;
    this.respelled = respelled;
  }

  /**
   * What a look found.
   *
   * @param values the values that count
   * @param settled whether the file is as the look before found it; if not, another look is due
   *     soon
   */
  record Look(Map<String, String> values, boolean settled) {}

  /** Looks once; {@code trust} has what it finds count without a second look. */
  Look look(boolean trust) {
    byte[] content;
    try {
      content = read();
    } catch (IOException failed) {
      reportOnce(failed);
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
      values = Map.copyOf(respelled.of(parse(content)));
      applied = content;
      trouble = null;
    } catch (IOException failed) {
      reportOnce(failed);
    }
  }

  private byte[] read() throws IOException {
    try {
      // first: a thread that opens a pipe waits for its other end, and some devices have no end
      if (!Files.readAttributes(path, BasicFileAttributes.class).isRegularFile()) {
        throw new IOException(
            Files.isDirectory(path) ? "it is a directory" : "it is a pipe or a device, not a file");
      }
      try (InputStream content = Files.newInputStream(path)) {
        byte[] bytes = content.readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
          throw new IOException("it is larger than " + MOST_BYTES + " bytes");
        }
        return bytes;
      }
    } catch (NoSuchFileException notThere) {
      return ABSENT;
    }
  }

  /** An IOException if the content is not UTF-8 or has a malformed escape. */
  private static Map<String, String> parse(byte[] content) throws IOException {
    String text = text(content);
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IllegalArgumentException malformed) {
      throw new IOException(
          "line " + lineOfBadEscape(text) + " has a \\u without four hexadecimal digits",
          malformed);
    }
    Map<String, String> values = new HashMap<>();
    properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
    return Map.copyOf(values);
  }

  private static int lineOfBadEscape(String text) {
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String begin = line.stripLeading();
      boolean comment = begin.startsWith("#") || begin.startsWith("!");
      if (!comment && BAD_ESCAPE.matcher(line).find()) {
        return number;
      }
    }
    return number;
  }

  private static String text(byte[] content) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(content);
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException notUtf8) {
      throw new IOException("it is not UTF-8 at byte " + bytes.position(), notUtf8);
    }
    if (text.indexOf('\0') >= 0) { // UTF-16 without a mark is UTF-8 by accident
      throw new IOException("it has zero characters, so it is not text in UTF-8");
    }
    // some editors begin a file with a mark, which would be part of the first key
    return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
  }

  private void reportOnce(IOException failed) {
    String words = failed.toString(); // of some, the message is the path alone
    if (!words.equals(trouble)) {
      trouble = words;
      LOG.warn(
          "The settings file {} cannot be read ({}); its last values stay, and it is looked at"
              + " again",
          path,
          failed.getClass() == IOException.class ? failed.getMessage() : words);
    }
  }
}
