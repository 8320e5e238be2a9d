// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Tenrec;
import io.reactivex.rxjava3.core.Flowable;
import jakarta.servlet.Servlet;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The snippets of docs/how-to/hystrix-stream.md, compiled as they stand. Those that want a port of
 * their own are not run.
 */
class StreamSnippetsTest {

  private static final Pattern FENCED = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  static HystrixStreamServer byOneLine(Tenrec tenrec) throws IOException {
    HystrixStreamServer server = HystrixStreamServer.start(tenrec, 7979);
    return server;
  }

  static HystrixStreamServer described(Tenrec tenrec) throws IOException {
    HystrixStream stream =
        HystrixStream.builder(tenrec)
            .interval(Duration.ofSeconds(1))
            .maxClients(10) // of each stream; 5 unless said
            .build();
    HystrixStreamServer server =
        HystrixStreamServer.start(stream, new InetSocketAddress(7979), List.of("orders.example"));
    return server;
  }

  @Test
  void otherServers() {
    try (Tenrec tenrec = Tenrec.create();
        HystrixStream stream = HystrixStream.of(tenrec)) {
      Servlet servlet = new HystrixStreamServlet(stream, StreamKind.DASHBOARD);
      assertThat(servlet).isNotNull();
      Optional<Flowable<byte[]>> parts =
          stream.open(StreamKind.DASHBOARD); // empty: answer with 503
      assertThat(parts).isPresent();
    }
  }

  @Test
  void everySnippet_isCompiledAsItStands() throws Exception {
    Path root = Path.of("..");
    String compiled =
        bare(
            Files.readString(
                Path.of("src/test/java/dev/tenrec/hystrix/stream/StreamSnippetsTest.java")));
    List<String> blocks = new ArrayList<>();
    Matcher fenced =
        FENCED.matcher(Files.readString(root.resolve("docs/how-to/hystrix-stream.md")));
    while (fenced.find()) {
      blocks.add(fenced.group(1));
    }
    assertThat(blocks).hasSize(4).allSatisfy(block -> assertThat(compiled).contains(bare(block)));
  }

  private static String bare(String code) {
    return code.replaceAll("\\s+", "");
  }
}
