// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacesTest {

  private final Places places = new Places(2);
  private final List<String> begun = new ArrayList<>();

  @Test
  void enter_whenAllPlacesAreTaken_waitsItsTurn() {
    enter("a", "b", "c", "d");
    assertThat(begun).containsExactly("a", "b");

    places.leave();
    assertThat(begun).containsExactly("a", "b", "c");
    places.leave();
    places.leave();
    places.leave();
    enter("e");
    assertThat(begun).containsExactly("a", "b", "c", "d", "e");
    assertThat(places.entered()).isEqualTo(5);
  }

  @Test
  void takeMostPresent_countsThoseWhoWait_andBeginsAnew() {
    enter("a", "b", "c");
    places.leave();

    assertThat(places.takeMostPresent()).isEqualTo(3);
    assertThat(places.takeMostPresent()).isEqualTo(2);
  }

  private void enter(String... names) {
    for (String name : names) {
      places.enter(() -> begun.add(name));
    }
  }
}
