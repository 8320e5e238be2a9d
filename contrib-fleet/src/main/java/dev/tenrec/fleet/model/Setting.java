// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The value of one key in a document.
 *
 * @param value the value as text
 * @param startMillis from when a limited value counts, by the store's clock; null until the
 *     document is written again, which stands for the time it was written
 * @param forMillis for how long it counts; null for always
 * @param version the version of the fleet's settings that set it so; null if it was not written
 *     yet, or by an older Tenrec
 * @param author of that version; null likewise
 */
public record Setting(
    String value,
    @Nullable Long startMillis,
    @Nullable Long forMillis,
    @Nullable Long version,
    @Nullable String author) {

  /** Checks that there is a value. */
  public Setting {
    Objects.requireNonNull(value, "value");
  }

  /** One that was not written yet. */
  public Setting(String value, @Nullable Long startMillis, @Nullable Long forMillis) {
    this(value, startMillis, forMillis, null, null);
  }

  /** One that counts always. */
  public static Setting of(String value) {
    return new Setting(value, null, null);
  }

  /**
   * When it ends, by the store's clock; {@link Long#MAX_VALUE} if it does not, or not in the time
   * that can be counted.
   *
   * @param writtenMillis when its document was written
   */
  public long endMillis(long writtenMillis) {
    return forMillis == null
        ? Long.MAX_VALUE
        : end(startMillis == null ? writtenMillis : startMillis, forMillis);
  }

  /** {@link Long#MAX_VALUE} where the sum would be more. */
  static long end(long startMillis, long forMillis) {
    long end = startMillis + forMillis;
    return end < startMillis && forMillis > 0 ? Long.MAX_VALUE : end;
  }

  /** The same with a beginning, if it needs one. */
  public Setting begun(long writtenMillis) {
    return forMillis == null || startMillis != null
        ? this
        : new Setting(value, writtenMillis, forMillis, version, author);
  }

  /** The same, as this version sets it. */
  public Setting by(long newVersion, String newAuthor) {
    return new Setting(value, startMillis, forMillis, newVersion, newAuthor);
  }

  /** Whether value and duration are equal. */
  public boolean sameAs(@Nullable Setting other) {
    return other != null && value.equals(other.value) && Objects.equals(forMillis, other.forMillis);
  }
}
