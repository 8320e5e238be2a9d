// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tenrec.annotations.spring.EnableCommands;
import dev.tenrec.annotations.wrong.WrongBeans;
import dev.tenrec.annotations.wrong.WrongCaches;
import dev.tenrec.annotations.wrong.WrongCombinations;
import dev.tenrec.annotations.wrong.WrongFallbacks;
import dev.tenrec.annotations.wrong.WrongKeys;
import dev.tenrec.annotations.wrong.WrongReturnTypes;
import dev.tenrec.core.Tenrec;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What stops the start, each with its message. */
class WrongDeclarationsTest {

  static Stream<Class<?>> beans() {
    return Stream.of(
            WrongBeans.class,
            WrongCaches.class,
            WrongCombinations.class,
            WrongFallbacks.class,
            WrongKeys.class,
            WrongReturnTypes.class)
        .flatMap(table -> Arrays.stream(table.getDeclaredClasses()))
        .filter(type -> type.isAnnotationPresent(WrongBeans.Wrong.class));
  }

  private static CommandDeclarationException startedWith(Class<?>... beans) {
    return catchThrowableOfType(
        CommandDeclarationException.class, () -> Contexts.of(beans).close());
  }

  @ParameterizedTest
  @MethodSource("beans")
  void wrongDeclaration_stopsTheStart_withItsMessage(Class<?> bean) {
    WrongBeans.Wrong wrong = bean.getAnnotation(WrongBeans.Wrong.class);
    CommandDeclarationException stopped = startedWith(bean);

    assertThat(stopped).as("the start with %s", bean).isNotNull();
    List<Mistake> mistakes = stopped.mistakes();
    assertThat(mistakes).hasSize(1);
    assertThat(mistakes.get(0).where()).isEqualTo(bean.getName() + "." + wrong.where());
    assertThat(mistakes.get(0).found()).contains(wrong.found()); // others are quoted after it
    assertThat(mistakes.get(0).expected()).isEqualTo(wrong.expected());
  }

  @Test
  void thereAre_atLeastThirtyOfThem() {
    assertThat(beans()).hasSizeGreaterThanOrEqualTo(30);
  }

  @Test
  void allMistakes_areReportedInOneMessage() {
    Class<?>[] all = beans().toArray(Class<?>[]::new);
    CommandDeclarationException stopped = startedWith(all);

    assertThat(stopped.mistakes()).hasSameSizeAs(all);
    assertThat(stopped).hasMessageStartingWith(all.length + " mistakes in the annotations");
    for (Class<?> bean : all) {
      assertThat(stopped).hasMessageContaining(bean.getName());
    }
  }

  /** Of the same simple name as another. */
  static final class Elsewhere {

    static class Stock {
      @Command
      public int left() {
        return 0;
      }
    }
  }

  static class Stock {
    @Command
    public int left() {
      return 1;
    }
  }

  @Test
  void twoClassesOfOneSimpleName_thatChoseNoKey_areDistinguished() {
    CommandDeclarationException stopped = startedWith(Stock.class, Elsewhere.Stock.class);

    assertThat(stopped.mistakes())
        .singleElement()
        .satisfies(
            mistake ->
                assertThat(mistake.found())
                    .isEqualTo(
                        "the key Stock.left, which is that of "
                            + Stock.class.getName()
                            + ".left() as well"));
  }

  /** Its second command has the key of another class, its first a mistake of its own. */
  static class TwiceWrong {
    @Command(fallbackMethod = "nowhere")
    public int first() {
      return 1;
    }

    @Command(
        commandKey = "Shared",
        commandProperties = @CommandProperty(name = "fallback.enabled", value = "false"))
    public int second() {
      return 2;
    }
  }

  static class Owner {
    @Command(commandKey = "Shared")
    public int third() {
      return 3;
    }
  }

  @Test
  void mistakeAndConflictOfKeys_inOneClass_areInOneMessage() {
    CommandDeclarationException stopped = startedWith(Owner.class, TwiceWrong.class);

    assertThat(stopped.mistakes()).hasSize(2);
    assertThat(stopped)
        .hasMessageContaining("nowhere")
        .hasMessageContaining("the key of " + Owner.class.getName())
        .hasMessageContaining("group Owner, now TwiceWrong")
        .hasMessageNotContaining("Definition[");
  }

  @Configuration(proxyBeanMethods = false)
  @EnableCommands
  static class Small {
    @Bean
    Tenrec tenrec() {
      return Tenrec.builder().maxCommands(1).build();
    }
  }

  static class Several {
    @Command
    public int one() {
      return 1;
    }

    @Command
    public int two() {
      return 2;
    }
  }

  @Test
  void moreCommandsThanTheTenrecAllows_areReportedAsThat() {
    CommandDeclarationException stopped =
        catchThrowableOfType(
            CommandDeclarationException.class,
            () -> new AnnotationConfigApplicationContext(Small.class, Several.class).close());

    assertThat(stopped.mistakes())
        .singleElement()
        .satisfies(
            mistake -> {
              assertThat(mistake.found()).contains("maxCommands is 1");
              assertThat(mistake.expected()).isEqualTo("a command that the Tenrec can build");
            });
  }
}
