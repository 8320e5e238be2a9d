// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReconciliationTest {

  private final Reconciliation reconciliation = new Reconciliation();

  @Test
  void differences_whereAllAgrees_areNone() {
    reconciliation.same("sent", 3, "received", 3);
    reconciliation.between("done", 3, "answered", 3, "sent", 5);
    reconciliation.between("done", 5, "answered", 3, "sent", 5);
    reconciliation.seen("successes", 4, 3, 1);

    assertThat(reconciliation.differences()).isEmpty();
  }

  @Test
  void differences_whereSidesDisagree_nameBoth() {
    reconciliation.same("sent", 3, "received", 2);
    reconciliation.between("done", 2, "answered", 3, "sent", 5);
    reconciliation.seen("successes", 5, 3, 1);

    assertThat(reconciliation.differences())
        .containsExactly(
            "sent is 3, but received is 2",
            "done is 2, expected at least 3 (answered) and at most 5 (sent)",
            "successes is 5, expected at least 3 (the driver's) and at most 4 (these and the"
                + " failed)");
  }

  @Test
  void differences_ofAPart_haveItsName() {
    reconciliation.addAll("first", List.of("a", "b"));

    assertThat(reconciliation.differences()).containsExactly("first: a", "first: b");
  }
}
