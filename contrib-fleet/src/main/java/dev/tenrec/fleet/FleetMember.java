// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.SettingOrigin;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.fleet.internal.Follower;
import dev.tenrec.fleet.model.Manifest;
import dev.tenrec.fleet.store.FleetStore;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An instance that follows its fleet's settings. It is the remote source of a Tenrec, and reports
 * to the store what that Tenrec has made of them:
 *
 * <pre>{@code
 * try (FleetMember member = FleetMember.builder(store, "shop-7").zone("a").lastGood(file).start();
 *     Tenrec tenrec = Tenrec.builder().remoteSource(member).build()) {
 *   member.observe(tenrec);
 *   ...
 * }
 * }</pre>
 *
 * <p>While the store is away the settings stay. Thread-safe; it has one thread, a daemon, on which
 * changes apply. No call waits for it.
 */
public final class FleetMember implements SettingsSource {

  private final Follower follower;

  FleetMember(Follower follower) {
    this.follower = follower;
  }

  /**
   * Starts the description of a member.
   *
   * @param store the application's; stays its maker's to close
   * @param id the instance, different from all others': up to 100 of {@code A-Z a-z 0-9 . _ -}
   */
  public static FleetMemberBuilder builder(FleetStore store, String id) {
    return new FleetMemberBuilder(store, id);
  }

  /**
   * The Tenrec that goes by these settings: its settings are reported from now on. Call it once the
   * Tenrec has been built; until then nothing is reported as applied.
   */
  public void observe(Tenrec tenrec) {
    follower.observe(Objects.requireNonNull(tenrec, "tenrec"));
  }

  /**
   * Where this instance's own console is, as others reach it: reported from now on, so that the
   * page of another instance can open it, if that one's networks allow it. Any session that may
   * read the fleet's settings can read the address. Default: it is not said.
   *
   * @param address as {@code http://10.2.3.4:7980/tenrec/}: with host, port and a path that ends
   *     with a slash, and nothing else; null to say it no longer
   * @throws IllegalArgumentException if it is none
   */
  public void console(@Nullable URI address) {
    if (address != null
        && (!"http".equals(address.getScheme())
            || address.getHost() == null
            || address.getPort() < 1
            || address.getRawUserInfo() != null
            || address.getRawQuery() != null
            || address.getRawFragment() != null
            || !address.getRawPath().endsWith("/"))) {
      throw new IllegalArgumentException(
          "console: expected an address as http://10.2.3.4:7980/tenrec/, and nothing else in it");
    }
    follower.console(address == null ? null : address.toString());
  }

  /** How it stands to the fleet now. */
  @Override
  public FleetStatus status() {
    Manifest manifest = follower.manifest();
    return new FleetStatus(
        follower.id(),
        follower.zone(),
        follower.isConnected(),
        manifest.version(),
        manifest.author(),
        manifest.reason(),
        follower.isFromLastGood(),
        follower.canary(),
        follower.alarms());
  }

  @Override
  public Map<String, String> values(String prefix) {
    Map<String, String> values = new HashMap<>(follower.values());
    values.keySet().removeIf(key -> !key.startsWith(prefix + "."));
    return values;
  }

  @Override
  public @Nullable SettingOrigin origin(String key, @Nullable String value) {
    return follower.origin(key, value);
  }

  @Override
  public Subscription subscribe(Runnable onChange) {
    return follower.subscribe(Objects.requireNonNull(onChange, "onChange"));
  }

  /** Leaves the fleet: nothing changes any more, and its report goes. Idempotent. */
  @Override
  public void close() {
    follower.close();
  }
}
