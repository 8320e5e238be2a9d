// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.annotations.Command;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.view.CommandView;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.ReflectionHintsPredicates;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.cloud.client.circuitbreaker.CircuitBreakerFactory;
import org.springframework.cloud.client.circuitbreaker.Customizer;
import org.springframework.cloud.client.circuitbreaker.ReactiveCircuitBreakerFactory;
import org.springframework.cloud.openfeign.EnableFeignClients;
import org.springframework.cloud.openfeign.FallbackFactory;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import reactor.core.publisher.Mono;

/**
 * Ahead of time: a generated context has its circuit breakers and Feign's commands. Public, for
 * what is generated is loaded by a class loader of its own.
 */
public class AheadOfTimeTest {

  /** A client whose methods are commands. */
  @FeignClient(name = "stock", url = "${remote.url}", fallbackFactory = Unknown.class)
  public interface Stock {

    /** How many there are. */
    @GetMapping("/left/{sku}")
    String left(@PathVariable("sku") String sku);
  }

  /** A client whose methods are commands by annotation; it is never asked for a circuit breaker. */
  @FeignClient(name = "annotated", url = "${remote.url}")
  public interface Annotated {

    /** An answer. */
    @Command(timeout = "60s")
    @GetMapping("/annotated/{word}")
    String answer(@PathVariable("word") Word word);
  }

  /** An argument. */
  public record Word(String text) {

    @Override
    public String toString() {
      return text;
    }
  }

  /** Answers for the client. */
  public static class Unknown implements FallbackFactory<Stock> {

    @Override
    public Stock create(Throwable cause) {
      return sku -> "unknown for " + cause.getClass().getSimpleName();
    }
  }

  /** Asks the factories. */
  public static class Quotes {

    private final CircuitBreakerFactory<?, ?> blocking;
    private final ReactiveCircuitBreakerFactory<?, ?> reactive;

    /** With both. */
    public Quotes(
        CircuitBreakerFactory<?, ?> blocking, ReactiveCircuitBreakerFactory<?, ?> reactive) {
      this.blocking = blocking;
      this.reactive = reactive;
    }

    String failing() {
      return blocking
          .create("pricing")
          .run(
              () -> {
                throw new IllegalStateException("down");
              },
              cause -> "instead of " + cause.getMessage());
    }

    String later() {
      Mono<String> answer =
          reactive.create("pricing-reactive").run(Mono.just("later"), cause -> Mono.just("none"));
      return answer.block();
    }
  }

  /** As an application has it. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableFeignClients(clients = Stock.class)
  public static class Application {

    /** Of the client. */
    @Bean
    public Unknown unknown() {
      return new Unknown();
    }

    /** Uses both factories. */
    @Bean
    public Quotes quotes(
        CircuitBreakerFactory<?, ?> blocking, ReactiveCircuitBreakerFactory<?, ?> reactive) {
      return new Quotes(blocking, reactive);
    }

    /** What code says. */
    @Bean
    public Customizer<TenrecCircuitBreakerFactory> circuits() {
      return factory ->
          factory.configureDefault(
              id ->
                  new CircuitConfigBuilder(id)
                      .options(to -> to.timeout(Duration.ofSeconds(60)))
                      .build());
    }
  }

  /** The same, with commands by annotation. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableFeignClients(clients = Annotated.class)
  public static class AnnotatedApplication {}

  @AfterEach
  void forget() {
    System.clearProperty("spring.aot.enabled");
  }

  private static TestPropertyValues properties(RemoteShop remote, Class<?> application) {
    return TestPropertyValues.of(
        "remote.url=" + remote.url(),
        "spring.cloud.openfeign.circuitbreaker.enabled=" + (application == Application.class),
        "spring.cloud.refresh.enabled=false", // as Spring Cloud asks for ahead of time
        // whatever else the machine does
        "tenrec.command.default.execution.isolation.thread.timeout-in-milliseconds=60s");
  }

  /** Processes the application, and hands on the context that was generated. */
  private static RuntimeHints generated(
      RemoteShop remote, Class<?> application, Consumer<GenericApplicationContext> generated) {
    TestGenerationContext generation = new TestGenerationContext();
    ClassName initializer;
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      properties(remote, application).applyTo(context);
      context.register(application);
      initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
    }
    generation.writeGeneratedContent();
    TestCompiler.forSystem()
        .with(generation)
        .compile(
            compiled -> {
              System.setProperty("spring.aot.enabled", "true");
              try (GenericApplicationContext context = new GenericApplicationContext()) {
                properties(remote, application).applyTo(context);
                initializer(
                        compiled.getInstance(
                            ApplicationContextInitializer.class, initializer.toString()))
                    .initialize(context);
                context.refresh();
                generated.accept(context);
              }
            });
    return generation.getRuntimeHints();
  }

  @SuppressWarnings("unchecked") // as generated
  private static ApplicationContextInitializer<GenericApplicationContext> initializer(
      ApplicationContextInitializer<?> generated) {
    return (ApplicationContextInitializer<GenericApplicationContext>) generated;
  }

  private static ReflectionHintsPredicates reflection() {
    return RuntimeHintsPredicates.reflection();
  }

  @Test
  @CompileWithForkedClassLoader
  void generatedContext_hasItsCircuitBreakersAndTheCommandsOfItsClients() throws Exception {
    try (RemoteShop remote = new RemoteShop()) {
      RuntimeHints hints =
          generated(
              remote,
              Application.class,
              context -> {
                assertThat(keys(context)).as("from the start").containsExactly("StockleftString");

                Stock stock = context.getBean(Stock.class);
                assertThat(stock.left("1-3")).isEqualTo("answer of /left/1-3");
                remote.answer("/left/1-3", 503);
                assertThat(stock.left("1-3")).isEqualTo("unknown for ServiceUnavailable");
                Quotes quotes = context.getBean(Quotes.class);
                assertThat(quotes.failing()).isEqualTo("instead of down");
                assertThat(quotes.later()).isEqualTo("later");
                assertThat(keys(context))
                    .containsExactlyInAnyOrder("StockleftString", "pricing", "pricing-reactive");
              });

      // the ids of a client's commands are made of its methods
      assertThat(reflection().onMethod(Stock.class.getMethod("left", String.class)).invoke())
          .accepts(hints);
    }
  }

  @Test
  @CompileWithForkedClassLoader
  void generatedContext_hasTheAnnotatedCommandsOfItsClients() throws Exception {
    try (RemoteShop remote = new RemoteShop()) {
      RuntimeHints hints =
          generated(
              remote,
              AnnotatedApplication.class,
              context -> {
                assertThat(context.getBean(Annotated.class).answer(new Word("hi")))
                    .isEqualTo("answer of /annotated/hi");
                assertThat(keys(context)).containsExactly("Annotated.answer");
              });

      assertThat(reflection().onMethod(Annotated.class.getMethod("answer", Word.class)).invoke())
          .accepts(hints);
      assertThat(reflection().onMethod(Word.class, "text").invoke()).accepts(hints);
    }
  }

  private static List<String> keys(GenericApplicationContext context) {
    return context.getBean(Tenrec.class).commands().stream().map(CommandView::key).toList();
  }
}
