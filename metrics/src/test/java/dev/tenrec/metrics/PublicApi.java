// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What users of one module may write down: its public classes outside of internal packages. */
public final class PublicApi {

  private static final String OURS = "dev.tenrec.";
  private static final String INTERNAL = ".internal.";

  private final Set<Class<?>> classes;

  /** Classes that are public, and not for users. */
  private final Set<String> plumbing;

  private PublicApi(Set<Class<?>> classes, Set<String> plumbing) {
    this.classes = classes;
    this.plumbing = plumbing;
  }

  /**
   * Of the module whose compiled classes lie there.
   *
   * @param compiled a directory of class files
   */
  public static PublicApi of(Path compiled) throws IOException, ClassNotFoundException {
    List<String> names;
    try (Stream<Path> files = Files.walk(compiled)) {
      names =
          files
              .map(file -> compiled.relativize(file).toString())
              .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
              .map(file -> file.substring(0, file.length() - 6).replace('/', '.'))
              .toList();
    }
    Set<Class<?>> classes = new TreeSet<>((one, other) -> one.getName().compareTo(other.getName()));
    for (String name : names) {
      if (!name.contains(INTERNAL)) {
        Class<?> type = Class.forName(name, false, PublicApi.class.getClassLoader());
        if (isVisible(type)) {
          classes.add(type);
        }
      }
    }
    return new PublicApi(classes, Set.of());
  }

  /** The same, but for classes that nothing else of it may name. */
  public PublicApi without(Set<String> names) {
    Set<Class<?>> others = new LinkedHashSet<>(classes);
    others.removeIf(type -> names.contains(type.getName()));
    return new PublicApi(others, names);
  }

  private static boolean isVisible(Class<?> type) {
    for (Class<?> each = type; each != null; each = each.getDeclaringClass()) {
      if (!isVisible(each.getModifiers())) {
        return false;
      }
    }
    return !type.isAnonymousClass() && !type.isLocalClass() && !type.isSynthetic();
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  /** One line for each class and each member that can be named, sorted. */
  public List<String> signatures() {
    List<String> lines = new ArrayList<>();
    for (Class<?> type : classes) {
      lines.add(header(type) + supertypes(type));
      List<String> members = new ArrayList<>();
      for (Executable member : executables(type)) {
        members.add("  " + member.toGenericString());
      }
      for (Field field : type.getDeclaredFields()) {
        if (isVisible(field.getModifiers()) && !field.isSynthetic()) {
          members.add("  " + field.toGenericString());
        }
      }
      members.sort(null);
      lines.addAll(members);
    }
    return lines;
  }

  /** JDKs differ in whether they print that a class is sealed. */
  private static String header(Class<?> type) {
    String printed = type.toGenericString().replace("non-sealed ", "").replace("sealed ", "");
    return (type.isSealed() ? "sealed " : "") + printed;
  }

  private static String supertypes(Class<?> type) {
    List<String> above = new ArrayList<>();
    Type superclass = type.getGenericSuperclass();
    if (superclass != null && superclass != Object.class) {
      above.add(superclass.getTypeName());
    }
    Arrays.stream(type.getGenericInterfaces()).map(Type::getTypeName).forEach(above::add);
    return above.isEmpty() ? "" : " : " + String.join(", ", above);
  }

  private static List<Executable> executables(Class<?> type) {
    List<Executable> visible = new ArrayList<>();
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (isVisible(constructor.getModifiers()) && !type.isEnum()) {
        visible.add(constructor);
      }
    }
    for (Method method : type.getDeclaredMethods()) {
      if (isVisible(method.getModifiers()) && !method.isSynthetic()) {
        visible.add(method);
      }
    }
    return visible;
  }

  /** What a signature names of internal packages, with the class it is in: users cannot use it. */
  public Set<String> leaks() {
    Set<String> leaks = new TreeSet<>();
    for (Class<?> type : classes) {
      Set<Class<?>> named = new TreeSet<>((one, other) -> one.getName().compareTo(other.getName()));
      name(type.getGenericSuperclass(), named, 0);
      Arrays.stream(type.getGenericInterfaces()).forEach(each -> name(each, named, 0));
      for (Executable member : executables(type)) {
        Arrays.stream(member.getGenericParameterTypes()).forEach(each -> name(each, named, 0));
        Arrays.stream(member.getGenericExceptionTypes()).forEach(each -> name(each, named, 0));
        if (member instanceof Method method) {
          name(method.getGenericReturnType(), named, 0);
        }
      }
      for (Field field : type.getDeclaredFields()) {
        if (isVisible(field.getModifiers())) {
          name(field.getGenericType(), named, 0);
        }
      }
      named.stream()
          .filter(each -> each.getName().startsWith(OURS))
          .filter(
              each ->
                  each.getName().contains(INTERNAL)
                      || plumbing.contains(each.getName())
                      || !isVisible(each))
          .forEach(each -> leaks.add(type.getName() + " names " + each.getName()));
    }
    return leaks;
  }

  /** Bounds may name the type itself, so it goes a few steps only. */
  private static void name(Type type, Collection<Class<?>> named, int depth) {
    if (type == null || depth > 4) {
      return;
    }
    if (type instanceof Class<?> plain) {
      named.add(plain.isArray() ? plain.getComponentType() : plain);
    } else if (type instanceof ParameterizedType with) {
      name(with.getRawType(), named, depth + 1);
      Arrays.stream(with.getActualTypeArguments()).forEach(each -> name(each, named, depth + 1));
    } else if (type instanceof GenericArrayType array) {
      name(array.getGenericComponentType(), named, depth + 1);
    } else if (type instanceof WildcardType wildcard) {
      Arrays.stream(wildcard.getUpperBounds()).forEach(each -> name(each, named, depth + 1));
      Arrays.stream(wildcard.getLowerBounds()).forEach(each -> name(each, named, depth + 1));
    } else if (type instanceof TypeVariable<?> variable) {
      Arrays.stream(variable.getBounds()).forEach(each -> name(each, named, depth + 1));
    }
  }

  /**
   * How the signatures differ from the record; writes it anew with {@code -Dtenrec.api.write=true}.
   *
   * @return "- " and what is gone, "+ " and what is new; empty if nothing differs
   */
  public List<String> differences(Path record) throws IOException {
    List<String> now = signatures();
    if (Boolean.getBoolean("tenrec.api.write")) {
      Files.createDirectories(record.getParent());
      Files.writeString(record, now.stream().collect(Collectors.joining("\n", "", "\n")));
    }
    List<String> before = Files.readAllLines(record);
    List<String> differences = new ArrayList<>();
    before.stream()
        .filter(line -> !now.contains(line))
        .forEach(line -> differences.add("- " + line));
    now.stream()
        .filter(line -> !before.contains(line))
        .forEach(line -> differences.add("+ " + line));
    return differences;
  }
}
