// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandDeclarationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@ExtendWith(OutputCaptureExtension.class)
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
  void wrongAnnotations_areToldWithoutAStackTrace(CapturedOutput output) {
    assertThatThrownBy(
            () ->
                new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .run()
                    .close())
        .isInstanceOf(CommandDeclarationException.class);

    assertThat(output)
        .contains("APPLICATION FAILED TO START")
        .contains("2 mistakes in the annotations of commands:")
        .contains("Wrong.byId(long)")
        .contains("expected: String lost(long) or String lost(long, Throwable)")
        .contains("timeout = \"soon\"")
        .doesNotContain("\tat dev.tenrec");
  }
}
