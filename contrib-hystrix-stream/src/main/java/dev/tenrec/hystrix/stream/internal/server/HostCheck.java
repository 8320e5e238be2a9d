// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.server;

import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which {@code Host} a request may name. A page of somebody else's that has its own name point at
 * this machine would be the same origin, and could read all; by an address it cannot.
 */
public final class HostCheck {

  private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[[0-9a-f:.]+]");

  private final Set<String> names = new TreeSet<>();

  /** With {@code localhost} and any address, these names are allowed, without their ports. */
  public HostCheck(Collection<String> allowed) {
    names.add("localhost");
    allowed.forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
  }

  /** Whether this value of the header is one of them. */
  public boolean allows(@Nullable String host) {
    if (host == null) {
      return false;
    }
    String name = PORT.matcher(host.toLowerCase(Locale.ROOT)).replaceFirst("");
    return names.contains(name) || ADDRESS.matcher(name).matches();
  }
}
