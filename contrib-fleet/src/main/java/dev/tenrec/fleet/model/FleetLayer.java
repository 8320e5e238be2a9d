// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.model;

import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * One layer of a fleet's settings: it has one document, so that a change of several settings is one
 * change. Of the layers that concern an instance the later one wins, key by key: the fleet's, its
 * zone's, the canary's, its own.
 *
 * @param kind which of the four
 * @param name of the zone or the instance; empty for the fleet and the canary
 */
public record FleetLayer(Kind kind, String name) implements Comparable<FleetLayer> {

  /** The kinds, weakest first. */
  public enum Kind {
    /** All instances. */
    FLEET,
    /** Those of one zone. */
    ZONE,
    /** Those that try something out. */
    CANARY,
    /** One. */
    INSTANCE
  }

  /** The whole fleet's. */
  public static final FleetLayer FLEET = new FleetLayer(Kind.FLEET, "");

  /** The canary's; there is one at a time. */
  public static final FleetLayer CANARY = new FleetLayer(Kind.CANARY, "");

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}");

  /** Checks the name. */
  public FleetLayer {
    Objects.requireNonNull(kind, "kind");
    if (kind == Kind.ZONE || kind == Kind.INSTANCE) {
      checkName(kind.name().toLowerCase(Locale.ROOT), name);
    } else if (!name.isEmpty()) {
      throw new IllegalArgumentException("the layer " + kind + " has no name, but got " + name);
    }
  }

  /** That of a zone. */
  public static FleetLayer zone(String name) {
    return new FleetLayer(Kind.ZONE, name);
  }

  /** That of an instance. */
  public static FleetLayer instance(String id) {
    return new FleetLayer(Kind.INSTANCE, id);
  }

  /**
   * Reads what {@link #toString} writes: {@code fleet}, {@code canary}, {@code zone/a}, {@code
   * instance/shop-7}.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public static FleetLayer parse(String text) {
    if (text.equals("fleet")) {
      return FLEET;
    }
    if (text.equals("canary")) {
      return CANARY;
    }
    if (text.startsWith("zone/")) {
      return zone(text.substring("zone/".length()));
    }
    if (text.startsWith("instance/")) {
      return instance(text.substring("instance/".length()));
    }
    throw new IllegalArgumentException(
        "'" + text + "' is no layer: expected fleet, canary, zone/<name> or instance/<id>");
  }

  /**
   * Returns {@code name} if it can stand in a store.
   *
   * @param what it names, for the message
   * @throws IllegalArgumentException if it cannot
   */
  public static String checkName(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' cannot name a "
              + what
              + ": expected up to 100 of A-Z a-z 0-9 . _ -, without a dot at the beginning");
    }
    return name;
  }

  /** The weakest first. */
  @Override
  public int compareTo(FleetLayer other) {
    int byKind = kind.compareTo(other.kind);
    return byKind != 0 ? byKind : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    String text = kind.name().toLowerCase(Locale.ROOT);
    return name.isEmpty() ? text : text + "/" + name;
  }
}
