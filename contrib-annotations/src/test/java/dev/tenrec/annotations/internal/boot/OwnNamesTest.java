// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The names that are looked at for mistyped ones are those that the metadata lists. */
class OwnNamesTest {

  private static final Set<String> SCOPES =
      Set.of("command", "threadpool", "semaphore", "collapser", "ratelimiter", "retrybudget");

  @Test
  void names_areThoseOfTheMetadata() throws IOException {
    String json;
    try (InputStream in =
        OwnNames.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
      json = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    assertThat(
            Pattern.compile("\"name\": \"tenrec\\.((?:annotations\\.)?[a-z-]+)\"")
                .matcher(json)
                .results()
                .map(found -> found.group(1))
                .filter(name -> !SCOPES.contains(name)))
        .isNotEmpty()
        .isSubsetOf(OwnNames.NAMES);
  }
}
