// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/** The words of a command line, read one after the other. Not thread-safe. */
public final class Words {

  private final Iterator<String> words;

  /** None is read yet. */
  public Words(List<String> words) {
    this.words = words.iterator();
  }

  /** Whether there is another. */
  public boolean hasNext() {
    return words.hasNext();
  }

  /** The next one. */
  public String next() {
    return words.next();
  }

  /**
   * The value after an option.
   *
   * @throws IllegalArgumentException if there is none
   */
  public String value(String option) {
    if (!words.hasNext()) {
      throw new IllegalArgumentException(option + " has no value");
    }
    return words.next();
  }

  /**
   * The whole number after an option.
   *
   * @throws IllegalArgumentException if there is none in this range
   */
  public int number(String option, int least, int most) {
    String text = value(option);
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      // said below
    }
    throw new IllegalArgumentException(
        option + " is " + text + ", expected a whole number from " + least + " to " + most);
  }

  /**
   * The constant after an option, in lower case.
   *
   * @throws IllegalArgumentException if there is none of this name
   */
  public <E extends Enum<E>> E oneOf(String option, Class<E> type) {
    String text = value(option);
    for (E constant : type.getEnumConstants()) {
      if (constant.name().toLowerCase(Locale.ROOT).equals(text)) {
        return constant;
      }
    }
    List<String> names =
        List.of(type.getEnumConstants()).stream()
            .map(constant -> constant.name().toLowerCase(Locale.ROOT))
            .toList();
    throw new IllegalArgumentException(option + " is " + text + ", expected one of " + names);
  }

  /**
   * Where results go if nothing is said: {@code benchmarks/field/target}, wherever it was started.
   */
  public static Path defaultDirectory() {
    return Files.isDirectory(Path.of("benchmarks", "field"))
        ? Path.of("benchmarks", "field", "target")
        : Path.of("target");
  }
}
