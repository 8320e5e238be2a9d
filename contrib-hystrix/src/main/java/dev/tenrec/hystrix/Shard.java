// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.hystrix.HystrixCollapser.CollapsedRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One part of a batch, which gets a command of its own.
 *
 * @param given as {@code shardRequests} returned it: what users' code gets
 * @param requests the same, read once: nothing of the user's runs when these are failed
 */
record Shard<R extends @Nullable Object, A extends @Nullable Object>(
    Collection<CollapsedRequest<R, A>> given, List<CollapsedRequest<R, A>> requests) {

  /**
   * The shards, all of them read before the first begins, so that what is wrong with one fails a
   * batch of which nothing has begun.
   *
   * @param owner whose {@code shardRequests} it was
   * @throws IllegalStateException if there are none, or one is null or has a null request
   * @throws RuntimeException what their iteration throws
   */
  static <R extends @Nullable Object, A extends @Nullable Object> List<Shard<R, A>> read(
      Object owner, @Nullable Collection<Collection<CollapsedRequest<R, A>>> shards) {
    if (shards == null) {
      throw new IllegalStateException(owner.getClass().getName() + ".shardRequests returned null");
    }
    List<Shard<R, A>> read = new ArrayList<>();
    for (Collection<CollapsedRequest<R, A>> shard : shards) {
      if (shard == null) {
        throw new IllegalStateException(
            owner.getClass().getName() + ".shardRequests returned a shard that is null");
      }
      List<CollapsedRequest<R, A>> requests = new ArrayList<>();
      for (CollapsedRequest<R, A> request : shard) {
        if (request == null) {
          throw new IllegalStateException(
              owner.getClass().getName() + ".shardRequests returned a request that is null");
        }
        requests.add(request);
      }
      read.add(new Shard<>(shard, requests));
    }
    return read;
  }
}
