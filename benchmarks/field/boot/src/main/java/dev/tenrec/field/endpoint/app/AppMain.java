// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint.app;

import dev.tenrec.field.kit.Lifeline;
import dev.tenrec.field.load.FileHandles;
import java.util.Map;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** The application, in a JVM of its own. */
public final class AppMain {

  /** A connection of each visitor, and one to the dependency for each thread. */
  private static final int CONNECTIONS = 400;

  private AppMain() {}

  /**
   * Runs it until its input ends.
   *
   * @param arguments properties, as Boot takes them
   */
  public static void main(String[] arguments) {
    Lifeline.run("application", () -> start(arguments));
  }

  private static Lifeline.Service start(String[] arguments) {
    FileHandles.requireFor(CONNECTIONS);
    ConfigurableApplicationContext context =
        new SpringApplicationBuilder(EndpointApplication.class)
            .properties("spring.config.name=endpoint")
            .registerShutdownHook(false) // its lifeline keeps it up for the last answers
            .run(arguments);
    int port = ((ServletWebServerApplicationContext) context).getWebServer().getPort();
    Figures figures = context.getBean(Figures.class);
    return new Lifeline.Service(
        "http://127.0.0.1:" + port + "/",
        Map.of(
            "begin", figures::begin,
            "counts", figures::counts,
            "pool", figures::pool,
            "set", figures::set,
            "clear", figures::clear),
        context);
  }
}
