// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookmarks;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the service knows, and what it was asked: it counts, and refuses what no batch of equal
 * arguments, or none of this size, should have in it. Thread-safe.
 */
final class Library {

  static final int BOOKMARKS = 1_000;
  static final int USERS = 20;
  static final int LARGEST_BATCH = 100;

  /** How the service sees a call: by how many requests of each kind there were. */
  record Asked(int bookmarks, int batches, int idsInBatches, int users, int refused) {

    Asked since(Asked before) {
      return new Asked(
          bookmarks - before.bookmarks,
          batches - before.batches,
          idsInBatches - before.idsInBatches,
          users - before.users,
          refused - before.refused);
    }

    int requests() {
      return bookmarks + batches + users;
    }
  }

  /** An answer of the service; the status is HTTP's. */
  record Answer(int status, String body) {}

  // Written by the service's threads, read by asking threads.
  private final AtomicInteger bookmarks = new AtomicInteger();
  private final AtomicInteger batches = new AtomicInteger();
  private final AtomicInteger idsInBatches = new AtomicInteger();
  private final AtomicInteger users = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();

  Asked asked() {
    return new Asked(
        bookmarks.get(), batches.get(), idsInBatches.get(), users.get(), refused.get());
  }

  /** {@code bookmark/7}, {@code bookmarks/7,8,9} or {@code user/7}. */
  Answer answer(String kind, String ids) {
    try {
      return switch (kind) {
        case "bookmark" -> {
          bookmarks.incrementAndGet();
          yield new Answer(200, bookmark(ids));
        }
        case "bookmarks" -> {
          batches.incrementAndGet();
          yield batch(List.of(ids.split(",", -1)));
        }
        case "user" -> {
          users.incrementAndGet();
          yield new Answer(200, "user " + within(ids, USERS));
        }
        default -> refuse("no such thing: " + kind);
      };
    } catch (IllegalArgumentException wrong) { // NumberFormatException is one
      return refuse(String.valueOf(wrong.getMessage()));
    }
  }

  private Answer batch(List<String> ids) {
    idsInBatches.addAndGet(ids.size());
    if (ids.size() > LARGEST_BATCH) {
      return refuse(ids.size() + " ids, expected " + LARGEST_BATCH + " at the most");
    }
    if (new HashSet<>(ids).size() < ids.size()) {
      return refuse("an id twice in one batch: " + ids);
    }
    List<String> lines = new ArrayList<>();
    ids.forEach(id -> lines.add(bookmark(id)));
    return new Answer(200, String.join("\n", lines));
  }

  private static String bookmark(String text) {
    int id = within(text, BOOKMARKS);
    return new Bookmark(id, id * 7 % USERS, "page " + id).line();
  }

  private static int within(String text, int bound) {
    int id = Integer.parseInt(text);
    if (id < 0 || id >= bound) {
      throw new IllegalArgumentException("no id " + id + ", expected less than " + bound);
    }
    return id;
  }

  private Answer refuse(String why) {
    refused.incrementAndGet();
    return new Answer(400, why);
  }
}
