// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Fuzz;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever text a key is, of a command, its pool and its settings, of the request cache, of a rate
 * and of a batch, it is a key as any other, or refused in words.
 */
class KeyFuzzTest {

  private static final int KEYS = 150;
  private static final int LONG = 20_000;
  private static final int LARGE = 1 << 20;

  private final Tenrec tenrec = Unhurried.tenrec();

  @AfterEach
  void close() {
    assertThat(tenrec.close(Duration.ofMinutes(5))).isEmpty();
    assertThat(tenrec.liveThreads()).isZero();
  }

  @Test
  void anyKey_isAKeyAsAnyOther_orRefused() {
    Fuzz.rounds(KEYS, random -> play(anyKey(random)));
  }

  @Tag("long")
  @Test
  void manyKeys_areKeysAsAnyOther_orRefused() {
    Fuzz.rounds(LONG, random -> play(anyKey(random)));
  }

  @Test
  void key_ofAMegabyte_isAKeyAsAnyOther() {
    play("k".repeat(LARGE));
    Fuzz.rounds(
        2,
        random -> {
          String some = "\uD83E\uDD94" + anyKey(random);
          play(some.repeat(LARGE / some.length()));
        });
  }

  /** Jazzer found it: what the tests name, a key may be as well. */
  @Test
  void key_thatTestsHaveThemselves_isAKeyAsAnyOther() {
    List.of("Batch", " batch", "x", "y", "z", "tenrec", "tenrec.command.").forEach(this::play);
  }

  private static String anyKey(Random random) {
    if (random.nextInt(8) != 0) {
      return Fuzz.text(random);
    }
    StringBuilder any = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      any.appendCodePoint(random.nextInt(Character.MAX_CODE_POINT + 1));
    }
    return any.toString();
  }

  void play(String key) {
    Command<String, String> command;
    try {
      command =
          tenrec
              .command(key, (String argument) -> argument)
              .isolation(Isolation.threadPool().coreSize(1))
              .cacheKey(argument -> argument)
              .rateLimitKey(argument -> argument)
              .property("rateLimiter.enabled", "true")
              .build();
    } catch (IllegalArgumentException refused) {
      assertThat(key.isBlank() || key.equals("default")).as("refused: %s", refused).isTrue();
      assertThat(refused.getMessage()).hasSizeLessThan(1_000);
      return;
    }
    shares(command, key);
    isSeen(key);
    isSet(command, key);
    joins(key);
    assertThat(tenrec.remove(key)).isTrue();
    assertThat(tenrec.commands()).isEmpty();
    assertThat(tenrec.pools()).isEmpty();
  }

  /** As the key of a call: of the cache, and of a rate. */
  private void shares(Command<String, String> command, String key) {
    try (RequestContext request = tenrec.openRequest()) {
      String first = command.execute(key);
      assertThat(command.execute(new String(key))).isSameAs(first);
      assertThat(command.execute(key + "x")).isEqualTo(key + "x");
    }
    assertThat(command.view().cumulativeCount(EventType.RESPONSE_FROM_CACHE)).isOne();
    assertThat(command.view().cumulativeCount(EventType.SUCCESS)).isEqualTo(2);
  }

  private void isSeen(String key) {
    assertThat(tenrec.commands()).extracting(CommandDetails::key).containsExactly(key);
    assertThat(tenrec.pools()).extracting(pool -> pool.key()).containsExactly(key);
    assertThat(tenrec.explain(key)).isNotBlank();
  }

  /** Its settings are its own, and no other key's. */
  private void isSet(Command<String, String> command, String key) {
    String other = key + "x";
    Command<String, String> another = tenrec.command(other, (String argument) -> argument).build();
    String property = "tenrec.command." + key + ".circuitBreaker.forceOpen";
    tenrec.set(property, "true");
    try (RequestContext request = tenrec.openRequest()) {
      assertThatThrownBy(() -> command.execute("y")).isInstanceOf(CircuitOpenException.class);
      assertThat(another.execute("y")).isEqualTo("y");
      tenrec.clear(property);
      assertThat(command.execute("z")).isEqualTo("z");
    }
    assertThat(tenrec.remove(other)).isTrue();
  }

  /** As an argument of a batch, and in its key, which is no other's. */
  private void joins(String key) {
    String batch = key + " batch";
    Collapser<String, String> collapser =
        tenrec
            .collapser(
                batch,
                (List<String> arguments) ->
                    arguments.stream()
                        .collect(Collectors.toMap(Function.identity(), Function.identity())))
            .globalScope()
            .maxRequestsInBatch(1)
            .build();
    assertThat(collapser.executeAsync(key).join()).isEqualTo(key);
    assertThat(tenrec.remove(batch)).isTrue();
  }
}
