// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.collapser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CollapserRequestScopeTest {

  private static final Duration WINDOW = Duration.ofMillis(5);

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final List<List<Integer>> batches = Collections.synchronizedList(new ArrayList<>());
  private final Collapser<Integer, String> collapser =
      tenrec
          .collapser(
              "PerRequest",
              (List<Integer> ids) -> {
                batches.add(ids);
                return ids.stream().collect(Collectors.toMap(Function.identity(), id -> "v" + id));
              })
          .timerDelay(WINDOW)
          .build();

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
  }

  @Test
  void members_ofTwoRequests_neverShareABatch() throws Exception {
    List<CompletableFuture<String>> all = new ArrayList<>();
    try (RequestContext first = tenrec.openRequest()) {
      all.add(collapser.executeAsync(1));
      all.add(collapser.executeAsync(2));
      try (RequestContext second = tenrec.openRequest()) {
        all.add(collapser.executeAsync(3));
        time.advance(WINDOW);
        all.get(2).get(PatientWaits.seconds(), TimeUnit.SECONDS);
      }
      all.get(0).get(PatientWaits.seconds(), TimeUnit.SECONDS);
      all.get(1).get(PatientWaits.seconds(), TimeUnit.SECONDS);
    }
    assertThat(all.stream().map(CompletableFuture::join)).containsExactly("v1", "v2", "v3");
    assertThat(batches).containsExactlyInAnyOrder(List.of(1, 2), List.of(3));
  }

  @Test
  void member_withoutARequest_getsAnErrorThatSaysWhatIsMissing() {
    assertThatThrownBy(() -> collapser.execute(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(
            "collapser PerRequest, not being of globalScope(), needs an open request")
        .hasMessageContaining("this thread is at none");
    assertThat(collapser.executeAsync(1))
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(IllegalStateException.class)
        .withMessageContaining("this thread is at none");
  }

  @Test
  void waitingMembers_whenTheirRequestCloses_fail() {
    CompletableFuture<String> waiting;
    try (RequestContext request = tenrec.openRequest()) {
      waiting = collapser.executeAsync(1);
    }
    assertThat(waiting).isCompletedExceptionally();
    assertThat(batches).isEmpty();
  }
}
