// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import com.netflix.hystrix.HystrixCommand;
import dev.tenrec.benchmarks.contender.Fallbacks;
import dev.tenrec.benchmarks.contender.HystrixContender;
import dev.tenrec.benchmarks.contender.Resilience4jContender;
import dev.tenrec.benchmarks.contender.Rules;
import dev.tenrec.benchmarks.floor.Floor;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Calls that succeed on their caller's thread, of so many commands in turn: what it costs that a
 * command is not in the cache. Hystrix goes to 1,000 commands, which take it some 300 MB.
 */
public class ManyCommands extends InNanoseconds {

  /** Whose turn it is. */
  @State(Scope.Thread)
  public static class Turn {
    private int next;

    int of(int keys) {
      int turn = next + 1;
      next = turn < keys ? turn : 0;
      return next;
    }
  }

  @State(Scope.Benchmark)
  public static class Least {
    @Param({"1", "100", "1000", "10000"})
    public int keys;

    private final List<Floor> floors = new ArrayList<>();

    @Setup
    public void start() {
      for (int i = 0; i < keys; i++) {
        floors.add(
            new Floor(Rules.usual().maxConcurrent(), ProtectedCall::answer, Fallbacks.SERVED));
      }
    }
  }

  @State(Scope.Benchmark)
  @SuppressWarnings("NullAway.Init") // JMH calls start before all else
  public static class OnTenrec {
    @Param({"1", "100", "1000", "10000"})
    public int keys;

    private final Fallbacks.Forbidden fallback = new Fallbacks.Forbidden();
    final List<Command<String, String>> commands = new ArrayList<>();
    private Tenrec tenrec;

    @Setup
    public void start() {
      tenrec = Tenrec.create();
      for (int i = 0; i < keys; i++) {
        commands.add(
            tenrec
                .command("Command" + i, ProtectedCall::answer)
                .isolation(Isolation.semaphore(Rules.usual().maxConcurrent()))
                .fallback((asked, cause) -> fallback.apply(cause))
                .build());
      }
    }

    @TearDown(Level.Trial)
    public void end() {
      fallback.check();
      tenrec.close();
    }
  }

  @State(Scope.Benchmark)
  public static class OnResilience4j {
    @Param({"1", "100", "1000", "10000"})
    public int keys;

    private final Fallbacks.Forbidden fallback = new Fallbacks.Forbidden();
    private final List<Resilience4jContender> commands = new ArrayList<>();

    @Setup
    public void start() {
      for (int i = 0; i < keys; i++) {
        commands.add(Resilience4jContender.of(Rules.usual(), ProtectedCall::answer, fallback));
      }
    }

    @TearDown(Level.Trial)
    public void end() {
      fallback.check();
    }
  }

  @State(Scope.Benchmark)
  public static class OnHystrix {
    private static final int MOST = 1_000;

    @Param({"1", "100", "1000"})
    public int keys;

    private final Fallbacks.Forbidden fallback = new Fallbacks.Forbidden();
    private final List<HystrixContender> commands = new ArrayList<>();

    @Setup
    public void start() {
      if (keys > MOST) {
        throw new IllegalArgumentException(
            "keys: " + keys + " commands of Hystrix do not fit; at most " + MOST);
      }
      for (int i = 0; i < keys; i++) {
        commands.add(HystrixContender.onCaller(Rules.usual(), ProtectedCall::answer, fallback));
      }
      commands.stream().map(each -> each.command(question)).forEach(HystrixCommand::execute);
    }

    @TearDown(Level.Trial)
    public void end() {
      fallback.check();
    }
  }

  @Benchmark
  public String floor(Least least, Turn turn) {
    return least.floors.get(turn.of(least.keys)).call(question);
  }

  @Benchmark
  public String tenrec(OnTenrec on, Turn turn) {
    return on.commands.get(turn.of(on.keys)).execute(question);
  }

  @Benchmark
  public String resilience4j(OnResilience4j on, Turn turn) {
    return on.commands.get(turn.of(on.keys)).call(question);
  }

  @Benchmark
  public String hystrix(OnHystrix on, Turn turn) {
    return on.commands.get(turn.of(on.keys)).call(question);
  }
}
