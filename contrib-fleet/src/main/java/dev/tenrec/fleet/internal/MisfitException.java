// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.fleet.store.StoreException;

/** What a store has does not fit together: a person has to look at it. */
public final class MisfitException extends StoreException {

  private static final long serialVersionUID = 1L;

  MisfitException(String message) {
    super(message);
  }
}
