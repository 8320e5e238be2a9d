// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * Looks in a class's file for calls of its own command methods on {@code this}: no proxy sees them,
 * so they run unprotected.
 */
final class SelfInvocations {

  private static final Logger LOG = LoggerFactory.getLogger(SelfInvocations.class);

  private SelfInvocations() {}

  /** Warns of such calls in a class, its superclasses' code not included. */
  static void warn(ClassCommands commands) {
    List<String> found = find(commands);
    if (!found.isEmpty()) {
      LOG.warn(
          "{} calls its own command methods: {}. Such a call does not pass the bean's proxy, and is"
              + " not protected; call it on an injected reference to the bean, or move it to another",
          commands.declared().type().getName(),
          String.join(", ", found));
    }
  }

  /** As {@code all calls byId(long)}, in alphabetical order. */
  static List<String> find(ClassCommands commands) {
    Class<?> type = commands.declared().type();
    Set<String> guarded =
        commands.own().values().stream()
            .map(method -> method.getName() + Type.getMethodDescriptor(method))
            .collect(Collectors.toSet());
    Set<String> found = new TreeSet<>();
    String file = ClassUtils.getClassFileName(type);
    try (InputStream in = type.getResourceAsStream(file)) {
      if (in != null) {
        new ClassReader(in)
            .accept(
                new Calls(Type.getInternalName(type), guarded, found),
                ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
      }
    } catch (IOException | IllegalArgumentException e) {
      LOG.debug("The class file of {} cannot be read", type, e);
    }
    return List.copyOf(found);
  }

  /** Visits each method that has a {@code this}. */
  private static final class Calls extends ClassVisitor {

    private final String owner;
    private final Set<String> guarded;
    private final Set<String> found;

    Calls(String owner, Set<String> guarded, Set<String> found) {
      super(SpringAsmInfo.ASM_VERSION);
      this.owner = owner;
      this.guarded = guarded;
      this.found = found;
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      boolean skipped =
          (access
                  & (org.springframework.asm.Opcodes.ACC_STATIC
                      | org.springframework.asm.Opcodes.ACC_BRIDGE))
              != 0;
      return skipped ? null : new SelfCalls(owner, name, guarded, found);
    }
  }
}
