// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import dev.tenrec.core.internal.text.LogText;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where publishers and subscribers of one command throw although the rules of Reactive Streams
 * forbid it, and there is no subscriber left to report it to. Each place is logged once: what is
 * broken there breaks with every stream.
 */
final class StreamFaults {

  private static final Logger LOG = LoggerFactory.getLogger(StreamFaults.class);

  /** The places. */
  enum Place {
    CANCEL("its publisher's subscription threw at cancel, which changes nothing"),
    ON_NEXT("its subscriber threw at onNext, which cancels the stream"),
    ON_ERROR("its subscriber threw at onError, which changes nothing"),
    ON_COMPLETE("its subscriber threw at onComplete, which changes nothing");

    private final String what;

    Place(String what) {
      this.what = what;
    }
  }

  private final String commandKey;

  /** Bit n: the place of ordinal n is logged. Written and read by any thread it happens on. */
  private final AtomicInteger logged = new AtomicInteger();

  StreamFaults(String commandKey) {
    this.commandKey = commandKey;
  }

  /** Never throws. */
  void thrownAt(Place place, Throwable thrown) {
    thrownAt(place, commandKey, thrown);
  }

  /** Logs it under the name {@code whose}: the command's, or that of its fallback. Never throws. */
  void thrownAt(Place place, String whose, Throwable thrown) {
    try {
      int bit = 1 << place.ordinal();
      if ((logged.getAndAccumulate(bit, (seen, other) -> seen | other) & bit) == 0) {
        LOG.warn("{}: {}; it is not logged again", LogText.of(whose), place.what, thrown);
      }
    } catch (Throwable loggers) { // no memory, no stack, or a logger that throws as well
      return;
    }
  }
}
