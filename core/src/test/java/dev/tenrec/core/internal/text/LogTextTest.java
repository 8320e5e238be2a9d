// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Text of others, in a line of the log. */
class LogTextTest {

  @Test
  void of_whatIsOneLine_isTheSameObject() {
    String key = "GetQuote \"<b>\\ä€😀";
    assertThat(LogText.of(key)).isSameAs(key);
    assertThat(LogText.of(null)).isEqualTo("null");
  }

  @Test
  void of_whatWouldForgeALine_isOneLine() {
    assertThat(LogText.of("a\r\n12:00 ERROR\tb\u0085\u2028\u2029\u001b[31m\u202e."))
        .isEqualTo("a\\r\\n12:00 ERROR\\tb\\u0085\\u2028\\u2029\\u001b[31m\\u202e.");
  }

  @Test
  void of_aMegabyte_isCutAndSaysSo() {
    assertThat(LogText.of("x".repeat(1_000_000)))
        .hasSizeLessThan(1_050)
        .endsWith("x... (1000000 characters)");
    assertThat(LogText.of("\n" + "x".repeat(1_000_000))).endsWith("... (1000001 characters)");
    assertThat(LogText.of("x".repeat(1_000))).hasSize(1_000);
  }
}
