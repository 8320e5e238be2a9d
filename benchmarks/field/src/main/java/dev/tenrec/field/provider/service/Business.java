// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider.service;

import dev.tenrec.field.load.http.HttpAddress;
import dev.tenrec.field.load.http.HttpTarget;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** What the methods do: they ask the store, waiting, and work through a list. Thread-safe. */
final class Business implements AutoCloseable {

  private static final Duration STORE_TIMEOUT = Duration.ofSeconds(10);
  private static final int OK = 200;

  private final FollowLists lists = new FollowLists();
  private final Map<Method, HttpTarget> store = new EnumMap<>(Method.class);

  Business(URI store) {
    for (Method method : Method.values()) {
      HttpAddress address = HttpAddress.of(store.resolve(method.key()).toString());
      this.store.put(method, new HttpTarget(address, STORE_TIMEOUT, 1));
    }
  }

  /**
   * Does one.
   *
   * @param user on whose list
   * @return a number that depends on all the work, so that none can be left out
   */
  int perform(Method method, long user) throws IOException {
    ask(method);
    int somebody = (int) (user * 31);
    return switch (method) {
      case IS_FOLLOW, FOLLOW -> lists.contains(user, somebody) ? 1 : 0;
      case QUERY_FOLLOW_LIST -> {
        int[] all = lists.all(user);
        yield all[all.length - 1];
      }
    };
  }

  private void ask(Method method) throws IOException {
    HttpTarget target = store.get(method);
    int status = target == null ? 0 : target.call();
    if (status != OK) {
      throw new IOException("the store answered " + method.key() + " with status " + status);
    }
  }

  @Override
  public void close() throws IOException {
    for (HttpTarget target : store.values()) {
      target.close();
    }
  }
}
