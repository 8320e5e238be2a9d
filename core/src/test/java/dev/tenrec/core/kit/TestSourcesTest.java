// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A name in a document means one class, or none. */
class TestSourcesTest {

  private static String packageOf(String source) {
    return source.lines().filter(line -> line.startsWith("package ")).toList().toString();
  }

  @Test
  void name_thatClassesOfTwoModulesHave_meansTheOneOfCore() throws IOException {
    Map<String, String> sources = TestSources.byName();

    assertThat(packageOf(sources.get("CollapserTest")))
        .isEqualTo("[package dev.tenrec.core.collapser;]");
    assertThat(packageOf(sources.get("kinds.CollapserTest")))
        .isEqualTo("[package dev.tenrec.hystrix.kinds;]");
  }

  @Test
  void name_thatTwoClassesOfCoreHave_meansNone_withoutTheirPackages() throws IOException {
    Map<String, String> sources = TestSources.byName();

    assertThat(sources).doesNotContainKey("PermitsTest");
    assertThat(packageOf(sources.get("isolation.PermitsTest")))
        .isEqualTo("[package dev.tenrec.core.internal.isolation;]");
    assertThat(packageOf(sources.get("sizing.PermitsTest")))
        .isEqualTo("[package dev.tenrec.core.sizing;]");
  }

  @Test
  void name_thatTwoClassesOfOtherModulesHave_meansNone_withoutTheirPackages() throws IOException {
    Map<String, String> sources = TestSources.byName();

    assertThat(sources).doesNotContainKey("PublisherTest");
    assertThat(packageOf(sources.get("hystrix.stream.PublisherTest")))
        .isEqualTo("[package dev.tenrec.hystrix.stream;]");
  }
}
