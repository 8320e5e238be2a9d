// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.etcd;

import dev.tenrec.fleet.etcd.EtcdGateway.NotFoundException;
import dev.tenrec.fleet.etcd.EtcdGateway.Repeat;
import dev.tenrec.fleet.store.StoreException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session's lease: what was announced goes with it. It is granted when it is first needed, and
 * again after it has expired.
 *
 * <p>Thread-safe.
 */
final class EtcdSession {

  private static final Logger LOG = LoggerFactory.getLogger(EtcdSession.class);

  private final EtcdGateway gateway;
  private final long seconds;

  /**
   * 0 if there is none. Written by the threads that announce, keep alive and close, ordered by
   * atomic access.
   */
  private final AtomicLong lease = new AtomicLong();

  EtcdSession(EtcdGateway gateway, long seconds) {
    this.gateway = gateway;
    this.seconds = seconds;
  }

  /** The lease; 0 if there is none. */
  long current() {
    return lease.get();
  }

  /** The lease, which may be a new one. */
  long granted() {
    long known = lease.get();
    if (known != 0) {
      return known;
    }
    long fresh =
        gateway
            .call(
                "lease/grant",
                EtcdGateway.message().put("TTL", String.valueOf(seconds)),
                Repeat.ALLOWED)
            .body()
            .path("ID")
            .asLong();
    if (lease.compareAndSet(0, fresh)) {
      return fresh;
    }
    revoke(fresh);
    return granted();
  }

  /** Says that this session lives. Returns whether its lease has expired before. */
  boolean keepAlive() {
    long known = lease.get();
    if (known == 0) {
      return false;
    }
    long left =
        gateway
            .call(
                "lease/keepalive",
                EtcdGateway.message().put("ID", String.valueOf(known)),
                Repeat.ALLOWED)
            .body()
            .path("result")
            .path("TTL")
            .asLong();
    return left <= 0 && expired(known);
  }

  /** This lease is gone. Returns whether that is news. */
  boolean expired(long gone) {
    return lease.compareAndSet(gone, 0);
  }

  void end() {
    long known = lease.getAndSet(0);
    if (known != 0) {
      revoke(known);
    }
  }

  private void revoke(long known) {
    try {
      gateway.call(
          "lease/revoke", EtcdGateway.message().put("ID", String.valueOf(known)), Repeat.ALLOWED);
    } catch (NotFoundException gone) {
      LOG.debug("The lease had expired already", gone);
    } catch (StoreException away) {
      LOG.debug("The lease was not revoked; it expires", away);
    }
  }
}
