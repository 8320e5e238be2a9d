// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookmarks;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Whether both readings add up, and what is left of them. */
record Account(Page page, Reading oneByOne, Reading batched, int threadsLeft) {

  /** What has to be so, in words, and whether it is. */
  Map<String, Boolean> checks() {
    Map<String, Boolean> checks = new LinkedHashMap<>();
    Library.Asked alone = oneByOne.asked();
    Library.Asked together = batched.asked();
    checks.put("both pages are the same", oneByOne.lines().equals(batched.lines()));
    checks.put("every line of the page is there", batched.lines().size() == page.bookmarks());
    checks.put(
        "one by one: a request for each call",
        alone.bookmarks() == oneByOne.bookmarks().calls()
            && alone.users() == oneByOne.users().calls()
            && alone.requests() == 2 * page.bookmarks());
    checks.put(
        "batched: calls = members of batches + cache hits",
        batched.bookmarks().calls() == page.bookmarks()
            && batched.users().calls() == page.bookmarks());
    checks.put(
        "batched: each batch was one request, each member one id",
        together.batches() == batched.bookmarks().batches()
            && together.idsInBatches() == batched.bookmarks().asked()
            && together.bookmarks() == 0);
    checks.put(
        "batched: nothing was asked for twice",
        together.idsInBatches() == page.different() && together.users() == Library.USERS);
    checks.put("the service refused nothing", alone.refused() == 0 && together.refused() == 0);
    checks.put("no thread is left", threadsLeft == 0);
    return checks;
  }

  boolean holds() {
    return checks().values().stream().allMatch(held -> Objects.equals(held, true));
  }
}
