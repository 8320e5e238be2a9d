// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config.archaius;

import com.netflix.archaius.api.StrInterpolator;
import com.netflix.archaius.interpolate.CommonsStrInterpolator;
import org.jspecify.annotations.Nullable;

/**
 * Archaius's interpolator, with a bound on how many references one value takes to resolve. It calls
 * itself for each reference. So a chain of some thousands would overflow the stack of the thread
 * that asks, and references that double at each step would never end.
 *
 * <p>Thread-safe.
 */
final class BoundedInterpolator implements StrInterpolator {

  /**
   * How many references the value of one property may take, those of what it refers to included.
   */
  static final int MOST = 100;

  private static final String REFERENCE = "${";

  @Override
  public Context create(Lookup lookup) {
    return text -> {
      Counted counted = new Counted(lookup);
      counted.count(text);
      return CommonsStrInterpolator.INSTANCE.create(counted).resolve(text);
    };
  }

  /** The references of one value. Used by one thread. */
  private static final class Counted implements Lookup {

    private final Lookup lookup;
    private int references;

    Counted(Lookup lookup) {
      this.lookup = lookup;
    }

    @Override
    public @Nullable String lookup(String name) {
      String text = lookup.lookup(name);
      if (text != null) {
        count(text);
      }
      return text;
    }

    void count(String text) {
      for (int at = text.indexOf(REFERENCE); at >= 0; at = text.indexOf(REFERENCE, at + 1)) {
        references++;
      }
      if (references > MOST) {
        throw new IllegalArgumentException("more than " + MOST + " references");
      }
    }
  }
}
