// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jcstress.annotations.Actor;

/** A stress test that jcstress leaves out is known by name, and none of ours is. */
class JcstressListTest {

  private static final String TWO = "dev.tenrec.Two";
  private static final String THREE = "dev.tenrec.Three";

  @TempDir private Path directory;
  private Path list;

  static class OfTwo {
    @Actor
    public void one() {}

    @Actor
    public void other() {}
  }

  static class OfThree {
    @Actor
    public void one() {}

    @Actor
    public void other() {}

    @Actor
    public void third() {}
  }

  @BeforeEach
  void write() throws IOException {
    list = directory.resolve("TestList");
    Files.writeString(list, line(TWO, OfTwo.class) + "\n" + line(THREE, OfThree.class) + "\n");
  }

  /** As jcstress begins a line. */
  private static String line(String test, Class<?> type) {
    return "JCTEST" + length(test) + test + length(type.getName()) + type.getName() + "2S";
  }

  private static String length(String of) {
    return of.length() + "S";
  }

  @Test
  void leftOut_onTwoProcessors_isWhatHasThreeActors() throws IOException {
    assertThat(JcstressList.leftOut(list, 2)).containsExactly(THREE);
    assertThat(JcstressList.runnable(list, 2)).containsExactly(TWO);
  }

  @Test
  void leftOut_onThreeProcessors_isNothing() throws IOException {
    assertThat(JcstressList.leftOut(list, 3)).isEmpty();
    assertThat(JcstressList.runnable(list, 3)).containsExactly(THREE, TWO);
  }

  @Test
  void everyStressTest_always_hasNoMoreThanTwoActors() throws IOException {
    Path ours = Path.of("target", "test-classes", "META-INF", "TestList");

    assertThat(JcstressList.leftOut(ours, 2)).as("would not run on two processors").isEmpty();
    assertThat(JcstressList.runnable(ours, 2)).hasSizeGreaterThan(30);
  }
}
