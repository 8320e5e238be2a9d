// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.FleetMember;
import dev.tenrec.fleet.FleetOperator;
import dev.tenrec.fleet.store.FleetStore;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The snippets of docs/how-to/console.md, compiled as they stand. They want a port of their own,
 * and are not run.
 */
class ConsoleSnippetsTest {

  private static final Pattern FENCED = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  static Console byOneLine(Tenrec tenrec) throws IOException {
    Console console = Console.start(tenrec, 7980); // 0 for any port that is free
    System.out.println(console.uri()); // http://localhost:7980/tenrec/
    return console;
  }

  static Console described(Tenrec tenrec, String token) throws IOException {
    Console console =
        Console.builder(tenrec)
            .address(new InetSocketAddress(7980))
            .token(token) // start() throws without one
            .allowedHosts(List.of("orders.example"))
            .maxClients(10) // 5 unless said
            .start();
    return console;
  }

  static Console ofAFleet(
      Tenrec tenrec, String token, FleetStore store, String alicesToken, FleetStore alicesSession)
      throws IOException {
    FleetOperator viewer = FleetOperator.of(store); // this instance's own session: it reads only
    Console console =
        Console.builder(tenrec)
            .address(new InetSocketAddress(7980))
            .token(token) // who may look
            .fleet(viewer)
            .operator(alicesToken, FleetOperator.of(alicesSession)) // who may change, and as whom
            .start();
    return console;
  }

  static Console ofInstances(Tenrec tenrec, String token, FleetOperator viewer, FleetMember member)
      throws IOException {
    Console console =
        Console.builder(tenrec)
            .address(new InetSocketAddress(7980))
            .token(token) // the same at all instances
            .fleet(viewer)
            .instances(List.of("10.2.0.0/16"), token) // where consoles may be, and what they want
            .start();
    member.console(URI.create("http://10.2.3.4:7980/tenrec/")); // where this one is
    return console;
  }

  static ConsoleServlet onAServer(Tenrec tenrec) {
    ConsolePage page = ConsolePage.of(tenrec); // close() ends the streams of all pages
    ConsoleServlet servlet = new ConsoleServlet(page);
    return servlet;
  }

  @Test
  void everySnippet_isCompiledAsItStands() throws Exception {
    String compiled =
        bare(
            Files.readString(Path.of("src/test/java/dev/tenrec/console/ConsoleSnippetsTest.java")));
    List<String> blocks = new ArrayList<>();
    Matcher fenced = FENCED.matcher(Files.readString(Path.of("../docs/how-to/console.md")));
    while (fenced.find()) {
      blocks.add(fenced.group(1));
    }
    assertThat(blocks).hasSize(5).allSatisfy(block -> assertThat(compiled).contains(bare(block)));
  }

  private static String bare(String code) {
    return code.replaceAll("\\s+", "");
  }
}
