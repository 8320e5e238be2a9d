// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.core.internal.config.CodeSettings;
import dev.tenrec.core.internal.config.CommandSettings;
import dev.tenrec.core.internal.config.Configuration;
import dev.tenrec.core.internal.config.LiveSettings;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What it costs a call that every one of its settings can be changed while it runs. */
public class SettingsRead extends InNanoseconds {

  /** Settings nobody changes. */
  @State(Scope.Benchmark)
  public static class OnTenrec {
    private final Configuration configuration = Configuration.open(new NoSource());
    final LiveSettings<CommandSettings> settings =
        configuration.command("Measured", CodeSettings.command().build(), changed -> {});

    @TearDown(Level.Trial)
    public void end() {
      settings.close();
      configuration.close();
    }
  }

  /** One volatile field. */
  @State(Scope.Benchmark)
  public static class Least {
    /** Written by nobody but its constructor, and read as if it were. */
    volatile CommandSettings settings = new OnTenrec().settings.current();
  }

  private static final class NoSource implements SettingsSource {
    @Override
    public Map<String, String> values(String prefix) {
      return Map.of();
    }

    @Override
    public Subscription subscribe(Runnable onChange) {
      return () -> {};
    }

    @Override
    public void close() {}
  }

  @Benchmark
  public int floor(Least least) {
    return least.settings.requestVolumeThreshold();
  }

  @Benchmark
  public int tenrec(OnTenrec on) {
    return on.settings.current().requestVolumeThreshold();
  }
}
