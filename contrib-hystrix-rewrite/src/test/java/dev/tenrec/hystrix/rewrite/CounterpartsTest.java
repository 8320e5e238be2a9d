// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import dev.tenrec.metrics.HouseRules;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openrewrite.Recipe;

/** The list of what is moved is that of what there is. */
class CounterpartsTest {

  private static final String ROOT = "dev.tenrec.hystrix";

  @Test
  void moved_always_areThePublicTypesThatHystrixHas() {
    Set<String> there =
        HouseRules.mainClassesOf(ROOT).stream()
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .filter(type -> type.getEnclosingClass().isEmpty())
            .map(JavaClass::getName)
            .map(name -> name.substring(ROOT.length() + 1))
            .filter(CounterpartsTest::isOfHystrix)
            .collect(Collectors.toSet());

    assertThat(Counterparts.MOVED).containsExactlyInAnyOrderElementsOf(there);
  }

  private static boolean isOfHystrix(String name) {
    String file = "/com/netflix/hystrix/" + name.replace('.', '/') + ".class";
    return CounterpartsTest.class.getResource(file) != null;
  }

  @Test
  void recipes_ofTheYaml_areThereWithTheirOptions() {
    for (String name : Set.of("MoveFromHystrix", "MovePropertyKeys")) {
      Recipe recipe = Moved.recipe(name);

      assertThat(recipe.validateAll()).allMatch(validated -> validated.isValid());
      assertThat(recipe.getRecipeList()).isNotEmpty();
    }
  }
}
