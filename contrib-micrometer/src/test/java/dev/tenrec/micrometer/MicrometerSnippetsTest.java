// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Tenrec;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The snippets of docs/how-to/micrometer.md, compiled as they stand, and run. */
class MicrometerSnippetsTest {

  private static final Pattern FENCED = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private final Tenrec tenrec = Tenrec.create();
  private final MeterRegistry registry = new SimpleMeterRegistry();

  @AfterEach
  void close() {
    tenrec.close();
  }

  @Test
  void binding() {
    TenrecMetrics metrics = TenrecMetrics.of(tenrec);
    metrics.bindTo(registry);
    assertThat(registry.getMeters()).isNotEmpty();
    metrics.close();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void describing() {
    TenrecMetrics metrics =
        TenrecMetrics.builder(tenrec)
            .tags(Tags.of("tenrec", "orders"))
            .buckets(Duration.ofMillis(20), Duration.ofMillis(50), Duration.ofMillis(200))
            .build();
    metrics.bindTo(registry);
    assertThat(registry.get("tenrec.commands").tag("tenrec", "orders").gauge().value()).isZero();
  }

  @Test
  void everySnippet_isCompiledAsItStands() throws Exception {
    Path root = Path.of("..");
    String compiled =
        bare(
            Files.readString(
                Path.of("src/test/java/dev/tenrec/micrometer/MicrometerSnippetsTest.java")));
    List<String> blocks = new ArrayList<>();
    Matcher fenced = FENCED.matcher(Files.readString(root.resolve("docs/how-to/micrometer.md")));
    while (fenced.find()) {
      blocks.add(fenced.group(1));
    }
    assertThat(blocks).hasSize(2).allSatisfy(block -> assertThat(compiled).contains(bare(block)));
  }

  private static String bare(String code) {
    return code.replaceAll("\\s+", "");
  }
}
