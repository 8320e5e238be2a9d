// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Of a class that no call has met so far: what was found out of one is kept. */
class ClassificationTest {

  static final class Unlinked extends LinkageError {
    private static final long serialVersionUID = 1L;
  }

  static final class Harmless extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** An instance of a copy of this class, made anew each time. */
  private static Throwable fresh(Class<? extends Throwable> type)
      throws IOException, ReflectiveOperationException {
    String file = type.getName().substring(type.getPackageName().length() + 1) + ".class";
    try (InputStream code = type.getResourceAsStream(file)) {
      return MethodHandles.lookup()
          .defineHiddenClass(Objects.requireNonNull(code, file).readAllBytes(), true)
          .lookupClass()
          .asSubclass(Throwable.class)
          .getDeclaredConstructor()
          .newInstance();
    }
  }

  @Test
  void error_ofTheJvm_isUnrecoverable() throws Exception {
    assertThat(Classification.isUnrecoverable(fresh(Unlinked.class))).isTrue();
  }

  @Test
  void error_ofTheUsers_isNot() throws Exception {
    assertThat(Classification.isUnrecoverable(fresh(Harmless.class))).isFalse();
  }
}
