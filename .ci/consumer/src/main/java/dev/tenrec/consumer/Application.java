// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.consumer;

import dev.tenrec.annotations.spring.EnableCommands;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import java.time.Duration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application that has Tenrec from a repository: each kind of command once. */
public class Application {

  /** A method that is a command. */
  public static class Greetings {

    /** Fails, so that its fallback answers. */
    @dev.tenrec.annotations.Command(fallbackMethod = "instead")
    public String greet(String name) throws Exception {
      throw new Exception("nobody greets " + name);
    }

    String instead(String name) {
      return "hello " + name;
    }
  }

  /** Spring without Boot. */
  @Configuration
  @EnableCommands
  static class Beans {

    @Bean
    Tenrec tenrec() {
      return Tenrec.create();
    }

    @Bean
    Greetings greetings() {
      return new Greetings();
    }
  }

  /** Ends with exit code 0 if all answered as they should. */
  public static void main(String[] args) {
    try (Tenrec tenrec = Tenrec.create()) {
      Command<String, String> command =
          tenrec
              .command("Greet", (String name) -> "hello " + name)
              .isolation(Isolation.threadPool().coreSize(1))
              .timeout(Duration.ofSeconds(30))
              .build();
      expect("hello pool", command.execute("pool"));
      expect("hello future", command.executeAsync("future").join());
      expect("hello single", command.toSingle("single").blockingGet());
      expect("hello outcome", command.attempt("outcome").value());
    }
    try (var context = new AnnotationConfigApplicationContext(Beans.class)) {
      expect("hello bean", context.getBean(Greetings.class).greet("bean"));
    } catch (Exception e) {
      throw new AssertionError("the fallback was to answer", e);
    }
    System.out.println("An application with what was installed compiles and runs.");
  }

  private static void expect(String expected, String actual) {
    if (!expected.equals(actual)) {
      throw new AssertionError("expected \"" + expected + "\", was \"" + actual + "\"");
    }
  }
}
