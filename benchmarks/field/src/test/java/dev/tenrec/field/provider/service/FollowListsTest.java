// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FollowListsTest {

  private final FollowLists lists = new FollowLists();

  @Test
  void contains_whoIsInTheList_andNobodyElse() {
    int[] all = lists.all(7);

    assertThat(IntStream.of(all).sorted().distinct().toArray()).isEqualTo(all);
    assertThat(lists.contains(7, all[0])).isTrue();
    assertThat(lists.contains(7, all[all.length - 1])).isTrue();
    int between = 1;
    while (all[between] == all[between - 1] + 1) {
      between++;
    }
    assertThat(lists.contains(7, all[between] - 1)).isFalse();
    assertThat(lists.contains(7, all[all.length - 1] + 1)).isFalse();
  }

  @Test
  void all_ofAnyNumber_isSomebodysList() {
    assertThat(lists.all(207)).isEqualTo(lists.all(7)).isNotEqualTo(lists.all(8));
    assertThat(lists.all(Long.MIN_VALUE)).isNotEmpty();
  }
}
