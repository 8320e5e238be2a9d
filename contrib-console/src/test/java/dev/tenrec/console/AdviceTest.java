// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.time.ManualTime;
import java.net.URLEncoder;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the page has of the adviser, in manual time. */
class AdviceTest {

  private static final String ODD = "Quote & <b>\u00e9+%";

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final ConsolePage page = ConsolePage.builder(tenrec).time(time, time).build();

  @AfterEach
  void stop() {
    page.close();
    tenrec.close();
  }

  private Command<Integer, Integer> command(String key) {
    return tenrec
        .command(
            key,
            (Integer millis) -> {
              time.advanceMillis(millis);
              return millis;
            })
        .isolation(Isolation.semaphore(1))
        .timeout(Duration.ofSeconds(2))
        .build();
  }

  private JsonNode advice(String query) throws Exception {
    ConsoleAnswer answer = page.answer("GET", "advice", query, name -> null);
    assertThat(answer.status()).isEqualTo(200);
    return new ObjectMapper().readTree(answer.body());
  }

  @Test
  void command_isWatchedFromTheFirstTimeItIsAskedAbout() throws Exception {
    Command<Integer, Integer> quote = command(ODD);
    String query = "key=" + URLEncoder.encode(ODD, UTF_8);
    for (int i = 0; i < 1_200; i++) {
      quote.execute(1_000); // before anybody has asked
    }
    JsonNode first = advice(query);
    assertThat(first.get("key").asText()).isEqualTo(ODD);
    assertThat(first.get("watchedMillis").asLong()).isZero();
    assertThat(first.get("proposals")).isEmpty();
    assertThat(first.get("withheld").toString()).contains("the watch has only begun");
    for (int i = 0; i < 1_200; i++) {
      quote.execute(100);
    }
    JsonNode later = advice(query);
    assertThat(later.get("watchedMillis").asLong()).isEqualTo(120_000);
    assertThat(later.get("proposals").findValuesAsText("property"))
        .contains("execution.isolation.thread.timeoutInMilliseconds");
    assertThat(later.at("/proposals/0/scope").asText()).isEqualTo("command");
    assertThat(later.get("present").asText()).endsWith("refused");
    quote.execute(1_000);
    assertThat(advice(query)).as("reckoned once in some seconds").isEqualTo(later);
    time.advanceMillis(4_000);
    assertThat(advice(query).get("watchedMillis").asLong()).isEqualTo(125_000);
  }

  @Test
  void key_thatIsNoneOrMalformed_isNotFound() {
    for (String query : new String[] {"key=Nobody", "key=%zz", "id=1", "", null}) {
      assertThat(page.answer("GET", "advice", query, name -> null).status())
          .as(query)
          .isEqualTo(404);
    }
  }

  @Test
  void commands_moreThanAFew_areForgottenTheOldestFirst() throws Exception {
    for (int i = 0; i <= 50; i++) {
      var unused = command("Command" + i);
      advice("key=Command" + i);
    }
    time.advanceMillis(10_000);
    assertThat(advice("key=Command50").get("watchedMillis").asLong()).isEqualTo(10_000);
    assertThat(advice("key=Command0").get("watchedMillis").asLong()).as("anew").isZero();
  }
}
