// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import dev.tenrec.annotations.CacheKey;
import dev.tenrec.annotations.CacheRemove;
import dev.tenrec.annotations.CacheResult;
import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.CommandDefaults;
import dev.tenrec.annotations.CommandProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/**
 * What Tenrec looks up by reflection whatever the application: its annotations, which Spring makes
 * proxies of, and virtual threads, which Java 17 cannot name.
 */
final class CommandHints implements RuntimeHintsRegistrar {

  static final List<Class<?>> ANNOTATIONS =
      List.of(
          Command.class,
          CommandDefaults.class,
          CommandProperty.class,
          Collapsed.class,
          CacheResult.class,
          CacheRemove.class,
          CacheKey.class);

  static final TypeReference VIRTUAL = TypeReference.of("java.lang.Thread$Builder$OfVirtual");

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
    for (Class<?> annotation : ANNOTATIONS) {
      hints
          .reflection()
          .registerType(
              annotation,
              MemberCategory.INVOKE_PUBLIC_METHODS,
              MemberCategory.INVOKE_DECLARED_METHODS);
      hints.proxies().registerJdkProxy(annotation);
    }
    hints
        .reflection()
        .registerType(
            Thread.class,
            thread -> thread.withMethod("ofVirtual", List.of(), ExecutableMode.INVOKE));
    hints
        .reflection()
        .registerType(
            VIRTUAL,
            builder ->
                builder
                    .withMethod(
                        "inheritInheritableThreadLocals",
                        TypeReference.listOf(boolean.class),
                        ExecutableMode.INVOKE)
                    .withMethod("name", TypeReference.listOf(String.class), ExecutableMode.INVOKE)
                    .withMethod(
                        "start", TypeReference.listOf(Runnable.class), ExecutableMode.INVOKE));
  }
}
