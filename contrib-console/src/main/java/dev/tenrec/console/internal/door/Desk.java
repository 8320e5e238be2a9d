// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.door;

import org.jspecify.annotations.Nullable;

/** From where a fleet's settings are looked at and changed. All of it may wait for its store. */
public interface Desk {

  /**
   * All there is to see, as JSON.
   *
   * @param user as whom the request is authenticated; null if as nobody
   */
  byte[] look(@Nullable String user);

  /** The address that an instance which is there has registered for its console; null if none. */
  @Nullable String console(String instance);

  /**
   * Whether an adviser can have said this, as JSON.
   *
   * @param command the key of the command that it was asked about; null if that is not known here
   */
  boolean isAdvice(@Nullable String command, byte[] said);

  /** Whether this user may change anything. */
  boolean mayChange(@Nullable String user);

  /**
   * Makes a change.
   *
   * @param user one that may
   * @param order what to do, as JSON
   */
  Done act(String user, byte[] order);

  /** What came of a change. */
  final class Done {

    private final int status;
    private final byte[] json;

    /**
     * This.
     *
     * @param status of HTTP
     * @param json what to say of it; not to be changed any more
     */
    public Done(int status, byte[] json) {
      this.status = status;
      this.json = json;
    }

    /** Of HTTP. */
    public int status() {
      return status;
    }

    /** Not to be changed. */
    public byte[] json() {
      return json;
    }
  }
}
