// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.boot;

import dev.tenrec.core.config.InvalidSettingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** The watched file that a property names, in the way Boot names files. */
public final class SettingsFile {

  private static final String OPTIONAL = "optional:";
  private static final String FILE = "file:";

  private SettingsFile() {}

  /**
   * The path that a value means.
   *
   * @param property the key of the property, for errors
   * @param value a path, with {@code file:} before it or not; with {@code optional:} before it the
   *     file may come later
   * @throws InvalidSettingException if it is no path, or there is no such file
   */
  public static Path of(String property, String value) {
    String text = value.strip();
    boolean optional = text.startsWith(OPTIONAL);
    if (optional) {
      text = text.substring(OPTIONAL.length());
    }
    if (text.startsWith("classpath:")) {
      throw new InvalidSettingException(
          property,
          value,
          "must be a file of the file system: one of the class path never changes");
    }
    Path path;
    try {
      path = Path.of(text.startsWith(FILE) ? text.substring(FILE.length()) : text);
    } catch (InvalidPathException e) {
      throw new InvalidSettingException(property, value, "must be a path: " + e.getReason());
    }
    if (!optional && !Files.isRegularFile(path)) {
      throw new InvalidSettingException(
          property,
          value,
          (Files.exists(path) ? "must be a file, and is none" : "must be a file that is there")
              + " ("
              + path.toAbsolutePath()
              + "); write optional:"
              + path
              + " if it may come later");
    }
    return path;
  }
}
