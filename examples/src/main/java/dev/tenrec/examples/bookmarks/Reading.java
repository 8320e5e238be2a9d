// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookmarks;

import java.util.List;

/**
 * What reading a page once took, by Tenrec's count and by the service's.
 *
 * @param lines the page
 * @param nanos how long it took
 * @param asked what the service was asked meanwhile
 * @param bookmarks how the calls for bookmarks were answered
 * @param users how the calls for users were answered
 * @param log the line of the request log; empty if there was no request
 */
record Reading(
    List<String> lines,
    long nanos,
    Library.Asked asked,
    Bookmarks bookmarks,
    Users users,
    String log) {

  /**
   * Calls for bookmarks.
   *
   * @param batches how many batches ran
   * @param asked calls that were asked for, alone or in a batch
   * @param hits calls answered by the request cache
   */
  record Bookmarks(long batches, long asked, long hits) {

    long calls() {
      return asked + hits;
    }
  }

  /**
   * Calls for users.
   *
   * @param asked calls that were asked for
   * @param hits calls answered by the request cache
   */
  record Users(long asked, long hits) {

    long calls() {
      return asked + hits;
    }
  }
}
