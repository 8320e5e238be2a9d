// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedRunTest {

  private final List<String> told = new ArrayList<>();
  private final Sharer<String> first = result -> told.add("first " + result);
  private final Sharer<String> second = result -> told.add("second " + result);
  private final SharedRun<String> run = new SharedRun<>();

  @Test
  void end_withTwo_tellsBoth() {
    assertThat(run.join(first)).isTrue();
    assertThat(run.join(second)).isTrue();
    assertThat(run.result()).isNull();
    run.end("x");
    assertThat(told).containsExactly("first x", "second x");
    assertThat(run.result()).isEqualTo("x");
    assertThat(run.join(first)).isFalse();
    assertThat(run.leave(first)).isFalse();
  }

  @Test
  void leave_notTheLast_tellsTheOther() {
    run.join(first);
    run.join(second);
    assertThat(run.leave(first)).isFalse();
    assertThat(run.leave(first)).isFalse();
    run.end("x");
    assertThat(told).containsExactly("second x");
  }

  @Test
  void leave_theLast_dropsTheRun() {
    run.join(first);
    assertThat(run.leave(second)).isFalse();
    assertThat(run.leave(first)).isTrue();
    assertThat(run.join(second)).isFalse();
    run.end("x");
    assertThat(told).isEmpty();
    assertThat(run.result()).isNull();
  }

  @Test
  void find_twoOwnersOneKey_areTwoEntries() {
    RequestCache cache = new RequestCache();
    SharedRun<String> other = new SharedRun<>();
    assertThat(cache.find("A", 1)).isNull();
    assertThat(cache.putIfAbsent("A", 1, run)).isTrue();
    assertThat(cache.putIfAbsent("A", 1, other)).isFalse();
    assertThat(cache.putIfAbsent("B", 1, other)).isTrue();
    assertThat(cache.find("A", 1)).isSameAs(run);
    assertThat(cache.find("B", 1)).isSameAs(other);
  }

  @Test
  void remove_anotherRun_leavesTheOneThereIs() {
    RequestCache cache = new RequestCache();
    assertThat(cache.putIfAbsent("A", 1, run)).isTrue();
    cache.remove("A", 1, new SharedRun<>());
    assertThat(cache.find("A", 1)).isSameAs(run);
    cache.remove("A", 1, run);
    assertThat(cache.find("A", 1)).isNull();
    cache.clear("A", 1);
    cache.clear("B", 1);
  }
}
