// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.provider.service;

/** What the provider is asked for, after the methods of the original. */
public enum Method {
  /** The fast one: mostly CPU, and a look into a cache that answers at once. */
  IS_FOLLOW("isFollow", 0, 64),
  /** The medium one: more CPU, and a store that takes some milliseconds. */
  QUERY_FOLLOW_LIST("queryFollowList", 3, 64),
  /** The slow one: some CPU, and a database that takes its time and has few places. */
  FOLLOW("follow", 20, 32);

  private final String key;
  private final int storeMillis;
  private final int storePlaces;

  Method(String key, int storeMillis, int storePlaces) {
    this.key = key;
    this.storeMillis = storeMillis;
    this.storePlaces = storePlaces;
  }

  /** Its name in paths, settings and tables. */
  public String key() {
    return key;
  }

  /** How long the store takes for it, once it begins. */
  public int storeMillis() {
    return storeMillis;
  }

  /** How many of it the store takes at once; others wait there. */
  public int storePlaces() {
    return storePlaces;
  }

  /** The most it can be done in a second, by the store; infinite if that takes no time. */
  public double storePerSecond() {
    return storePlaces * 1_000.0 / storeMillis;
  }
}
