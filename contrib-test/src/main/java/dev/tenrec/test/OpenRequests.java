// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import dev.tenrec.core.RequestContext;
import dev.tenrec.core.RequestVariable;
import dev.tenrec.core.Tenrec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The requests that are open, of those in which work has begun, whichever threads are at them. A
 * variable that each of them gets says when it closes. Thread-safe.
 */
final class OpenRequests {

  private final Tenrec tenrec;
  private final Set<RequestContext> open = ConcurrentHashMap.newKeySet();
  private final RequestVariable<RequestContext> known;

  OpenRequests(Tenrec tenrec) {
    this.tenrec = tenrec;
    known = tenrec.requestVariable(() -> begun(tenrec), request -> open.remove(request));
  }

  private RequestContext begun(Tenrec of) {
    RequestContext request = of.currentRequest().orElseThrow();
    open.add(request);
    return request;
  }

  /** On the thread of a work, as it begins. */
  void look() {
    RequestContext here = tenrec.currentRequest().orElse(null);
    if (here == null || here.isClosed()) {
      return;
    }
    try {
      RequestContext unused = known.get();
    } catch (IllegalStateException closedMeanwhile) {
      return; // and so it is not left open
    }
  }

  /** One line for each. */
  List<String> found() {
    List<String> found = new ArrayList<>();
    for (RequestContext request : open) {
      found.add("a request that is still open, in which was called: " + request.log());
    }
    return found;
  }

  /** Closes them, so that no later test finds them. */
  void close() {
    List.copyOf(open).forEach(RequestContext::close);
  }
}
