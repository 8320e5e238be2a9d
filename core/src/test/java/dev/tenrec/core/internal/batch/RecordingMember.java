// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.internal.collapser.Member;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A member that keeps its endings, of which there should be one. */
final class RecordingMember extends Member<Integer> {

  /** Values and errors. Written by whichever thread delivers, read by the test. */
  final List<Object> endings = new CopyOnWriteArrayList<>();

  @Override
  public void onValue(Integer value) {
    endings.add(value);
  }

  @Override
  public void onError(Throwable error) {
    endings.add(error);
  }

  /** Whether it can still ask where it waits how that has ended. */
  boolean knowsWhereItWaited() {
    return batchOutcome() != null;
  }
}
