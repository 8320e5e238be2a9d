// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.fleet.internal.LastGood.Content;
import dev.tenrec.fleet.internal.Troubles.Trouble;
import dev.tenrec.fleet.store.StoreException;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a follower's last-good file, if it has one. Used by the follower's thread, and by the
 * starting thread before that.
 */
final class LastGoodKeeper {

  private final FollowerPlan plan;
  private final Troubles troubles;
  private boolean due;

  LastGoodKeeper(FollowerPlan plan, Troubles troubles) {
    this.plan = plan;
    this.troubles = troubles;
  }

  /** What the file has; null if there is none, or it is of no use, which is a trouble. */
  @Nullable Content read() {
    LastGood file = plan.lastGood();
    try {
      Content content = file == null ? null : file.read();
      if (content == null || content.instance().equals(plan.id())) {
        return content;
      }
      trouble("the last-good file is of the instance " + content.instance(), 0);
    } catch (IOException | StoreException | IllegalArgumentException bad) {
      trouble(Objects.requireNonNullElse(bad.getMessage(), bad.toString()), 0);
    }
    return null;
  }

  /** There is something that is not in the file yet. */
  void setDue() {
    due = true;
  }

  /** Writes what is due. A disk may take its time: nothing else is to wait for it. */
  void write(Held held, long leftCanary, long storeMillis) {
    LastGood file = plan.lastGood();
    if (!due || file == null) {
      due = false;
      return;
    }
    long version = held.manifest().version();
    try {
      file.write(new Content(plan.id(), held, leftCanary, storeMillis, plan.wallClock().millis()));
      due = false;
      trouble(null, version);
    } catch (IOException failed) {
      trouble("the last-good file cannot be written: " + failed, version);
    }
  }

  private void trouble(@Nullable String words, long version) {
    troubles.set(Trouble.LAST_GOOD, words, version);
  }
}
