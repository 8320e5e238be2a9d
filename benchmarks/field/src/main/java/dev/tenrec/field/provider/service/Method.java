// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider.service;

import java.time.Duration;

/** What the provider is asked for, after the methods of the original. */
public enum Method {
  /** The fast one: mostly CPU, and a cache not far away. */
  IS_FOLLOW("isFollow", Duration.ofNanos(250_000), 64),
  /** The medium one: a little more CPU, and a store that takes a millisecond. */
  QUERY_FOLLOW_LIST("queryFollowList", Duration.ofMillis(1), 64),
  /** The slow one: a database that takes its time and has few places. */
  FOLLOW("follow", Duration.ofMillis(20), 32);

  private final String key;
  private final Duration storeTime;
  private final int storePlaces;

  Method(String key, Duration storeTime, int storePlaces) {
    this.key = key;
    this.storeTime = storeTime;
    this.storePlaces = storePlaces;
  }

  /** Its name in paths, settings and tables. */
  public String key() {
    return key;
  }

  /** How long the store takes for it, once it begins. */
  public Duration storeTime() {
    return storeTime;
  }

  /** How many of it the store takes at once; others wait there. */
  public int storePlaces() {
    return storePlaces;
  }
}
