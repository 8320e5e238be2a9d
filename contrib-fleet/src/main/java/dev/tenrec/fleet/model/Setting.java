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
 */
public record Setting(String value, @Nullable Long startMillis, @Nullable Long forMillis) {

  /** Checks that there is a value. */
  public Setting {
    Objects.requireNonNull(value, "value");
  }

  /** One that counts always. */
  public static Setting of(String value) {
    return new Setting(value, null, null);
  }

  /**
   * When it ends, by the store's clock; {@link Long#MAX_VALUE} if it does not.
   *
   * @param writtenMillis when its document was written
   */
  public long endMillis(long writtenMillis) {
    return forMillis == null
        ? Long.MAX_VALUE
        : (startMillis == null ? writtenMillis : startMillis) + forMillis;
  }

  /** The same with a beginning, if it needs one. */
  public Setting begun(long writtenMillis) {
    return forMillis == null || startMillis != null
        ? this
        : new Setting(value, writtenMillis, forMillis);
  }

  /** Whether both set the same, for the same span. */
  public boolean sameAs(@Nullable Setting other) {
    return other != null && value.equals(other.value) && Objects.equals(forMillis, other.forMillis);
  }
}
