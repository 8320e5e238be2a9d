// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.relay;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The networks in which consoles may be. Some addresses are in none of them, whatever they are:
 * those that name no host, those where clouds have what is secret, and those of IPv6 that stand for
 * another of IPv4.
 */
public final class Networks {

  /** An address, never a name, which would have to be asked for; and the length of its prefix. */
  private static final Pattern NETWORK =
      Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)(?:/(\\d{1,3}))?");

  private static final List<Network> NEVER =
      List.of(
          network("0.0.0.0/8"), // this host, by no name
          network("169.254.0.0/16"), // of the link; a cloud's metadata
          network("100.100.100.200/32"), // metadata of another
          network("192.0.0.192/32"), // and of another
          network("168.63.129.16/32"), // and of another, which has ports beyond 1,024
          network("224.0.0.0/4"), // many at once
          network("255.255.255.255/32"), // all
          network("::/96"), // one of IPv4, but for ::1
          network("::ffff:0:0:0/96"), // likewise, translated
          network("64:ff9b::/96"), // likewise
          network("64:ff9b:1::/48"), // likewise
          network("2001::/32"), // likewise, through a tunnel
          network("2002::/16"), // likewise
          network("fd00:ec2::/32"), // a cloud's metadata
          network("fd00:42::42/128"), // and of another
          network("fd20:ce::254/128"), // and of another
          network("fe80::/10"), // of the link
          network("ff00::/8")); // many at once

  private final List<Network> allowed;

  private Networks(List<Network> allowed) {
    this.allowed = allowed;
  }

  private static final class Network {

    private final byte[] address;
    private final int prefix;

    Network(byte[] address, int prefix) {
      this.address = address;
      this.prefix = prefix;
    }

    /** Whether the first bits are the same; of the other version of IP, none is in it. */
    boolean has(byte[] other) {
      if (other.length != address.length) {
        return false;
      }
      int whole = prefix / 8;
      for (int i = 0; i < whole; i++) {
        if (other[i] != address[i]) {
          return false;
        }
      }
      int left = prefix % 8;
      return left == 0 || ((other[whole] ^ address[whole]) & 0xff) >> (8 - left) == 0;
    }
  }

  /**
   * These.
   *
   * @param networks as {@code 10.2.0.0/16} or {@code fd12::/64}; an address without a prefix is
   *     that address
   * @throws IllegalArgumentException if there is none, or one is no network
   */
  public static Networks of(List<String> networks) {
    if (networks.isEmpty()) {
      throw new IllegalArgumentException("networks: expected one at least, as 10.2.0.0/16");
    }
    return new Networks(networks.stream().map(Networks::network).toList());
  }

  private static Network network(String text) {
    Matcher matcher = NETWORK.matcher(text);
    if (matcher.matches()) {
      try {
        byte[] address = InetAddress.getByName(matcher.group(1)).getAddress();
        String prefix = matcher.group(2);
        int bits = prefix == null ? address.length * 8 : Integer.parseInt(prefix);
        if (bits <= address.length * 8) {
          return new Network(address, bits);
        }
      } catch (UnknownHostException noAddress) {
        // said below
      }
    }
    throw new IllegalArgumentException(
        "networks: '" + text + "' is none; expected one as 10.2.0.0/16 or fd12::/64");
  }

  /** Whether a console may be there. */
  public boolean allow(InetAddress address) {
    byte[] bytes = plain(address);
    boolean never =
        !address.isLoopbackAddress() && NEVER.stream().anyMatch(network -> network.has(bytes));
    return !never && allowed.stream().anyMatch(network -> network.has(bytes));
  }

  /** Of an address of IPv4 that is written as one of IPv6, the four bytes. */
  private static byte[] plain(InetAddress address) {
    try {
      return InetAddress.getByAddress(address.getAddress()).getAddress();
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException(impossible); // an address has as many bytes as it should
    }
  }
}
