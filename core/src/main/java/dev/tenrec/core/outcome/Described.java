// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What messages say of a user's object, for the engine: its type, and the size of what has one.
 * Never its value: that may be a secret, may be large, and its {@code toString} is code that may
 * throw where an ending is reported. Throws nothing.
 */
public final class Described {

  /** An engine's object in the place of a user's, which is what messages are about. */
  public interface StandIn {

    /** What it stands for. */
    @Nullable Object original();
  }

  private Described() {}

  /** The user's own object. */
  static @Nullable Object original(@Nullable Object value) {
    return value instanceof StandIn standIn ? standIn.original() : value;
  }

  /** An argument or a result. */
  public static String value(@Nullable Object described) {
    Object value = original(described);
    if (value == null) {
      return "null";
    }
    String type = value.getClass().getTypeName();
    int size = size(value);
    return size < 0 ? type : type + " of size " + size;
  }

  /** An exception: in its own words, where it has any. */
  public static String thrown(Throwable thrown) {
    try {
      return String.valueOf(thrown);
    } catch (Throwable words) { // getMessage is code as well
      return thrown.getClass().getName();
    }
  }

  /** -1 if it has none, or does not say. */
  private static int size(Object value) {
    try {
      if (value instanceof CharSequence text) {
        return text.length();
      } else if (value instanceof Collection<?> collection) {
        return collection.size();
      } else if (value instanceof Map<?, ?> map) {
        return map.size();
      }
      return value.getClass().isArray() ? Array.getLength(value) : -1;
    } catch (Throwable ofTheUsers) {
      return -1;
    }
  }
}
