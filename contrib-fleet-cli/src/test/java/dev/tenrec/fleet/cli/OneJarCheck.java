// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tool as a user has it: one jar, run by {@code java -jar}. Runs once that is packaged. */
class OneJarCheck {

  private static final String TIMEOUT =
      "tenrec.command.GetQuote.execution.isolation.thread.timeoutInMilliseconds";

  @TempDir Path directory;

  private record Answer(int code, String out, String err) {}

  private Answer run(String... arguments) throws Exception {
    Path jar = Path.of("target", "tenrec.jar").toAbsolutePath();
    assertThat(jar).exists();
    List<String> all = new ArrayList<>();
    all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    all.addAll(List.of("-jar", jar.toString()));
    all.addAll(Arrays.asList(arguments));
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(all)
            .directory(directory.toFile()) // nothing beside it is needed
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(Map.of("TENREC_USER", "alice", "TENREC_PASSWORD", "s3cret"));
    int code = builder.start().waitFor();
    return new Answer(code, Files.readString(out, UTF_8), Files.readString(err, UTF_8));
  }

  @Test
  void jar_alone_readsAndWritesAndHasTheExitCodesOfTheTool() throws Exception {
    assertThat(run("--version").out()).startsWith("tenrec ");
    try (TestingServer server = FreshZooKeeper.start()) {
      String[] where = {"--servers", server.getConnectString(), "--app", "shop"};
      Answer set =
          run(
              "set",
              "fleet",
              TIMEOUT + "=300",
              "--reason",
              "slow",
              where[0],
              where[1],
              where[2],
              where[3]);
      assertThat(set.code()).as(set.toString()).isZero();
      assertThat(set.out()).contains("set by alice: slow").doesNotContain("s3cret");
      assertThat(set.err()).as("nothing but the answer").isEmpty();
      Answer got = run("get", "fleet", "--json", where[0], where[1], where[2], where[3]);
      assertThat(got.out()).startsWith("{").contains("\"" + TIMEOUT + "\"", "\"300\"");
      Answer bad =
          run(
              "set",
              "fleet",
              TIMEOUT + "=soon",
              "--reason",
              "x",
              where[0],
              where[1],
              where[2],
              where[3]);
      assertThat(bad.code()).as(bad.toString()).isEqualTo(ExitCode.INVALID);
    }
    Answer away = run("get", "--servers", "http://127.0.0.1:1", "--app", "shop");
    assertThat(away.code()).as("etcd's store is in it, too").isEqualTo(ExitCode.UNAVAILABLE);
  }
}
