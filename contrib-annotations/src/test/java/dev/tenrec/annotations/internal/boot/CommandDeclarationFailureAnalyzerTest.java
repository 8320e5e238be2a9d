// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandDeclarationException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class CommandDeclarationFailureAnalyzerTest {

  @EnableAutoConfiguration
  @Configuration(proxyBeanMethods = false)
  static class Application {

    @Bean
    Wrong wrong() {
      return new Wrong();
    }
  }

  static class Wrong {

    @Command(fallbackMethod = "lost")
    public String byId(long id) {
      return "";
    }

    @Command(timeout = "soon")
    public void later() {}
  }

  @Test
  void wrongAnnotations_areReportedWithoutAStackTrace() {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    PrintStream console = System.out;
    System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
    try {
      assertThatThrownBy(
              () ->
                  new SpringApplicationBuilder(Application.class)
                      .web(WebApplicationType.NONE)
                      .run()
                      .close())
          .isInstanceOf(CommandDeclarationException.class);
    } finally {
      System.setOut(console);
    }

    assertThat(written.toString(StandardCharsets.UTF_8))
        .contains("APPLICATION FAILED TO START")
        .contains("2 mistakes in the annotations of commands:")
        .contains("Wrong.byId(long)")
        .contains("expected: String lost(long) or String lost(long, Throwable)")
        .contains("timeout = \"soon\"")
        .doesNotContain("\tat dev.tenrec");
  }
}
