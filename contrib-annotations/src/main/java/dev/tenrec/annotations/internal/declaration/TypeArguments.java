// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.core.ResolvableType;

/**
 * Whether what one generic method returns will do for another, to the last type argument. Spring's
 * {@link ResolvableType} takes what it cannot resolve for anything.
 */
final class TypeArguments {

  private TypeArguments() {}

  /**
   * Whether a value of the second type is one of the first, where the raw types are assignable. A
   * variable of a method agrees with one of the same place and bounds only: its caller chooses what
   * it stands for.
   */
  static boolean agree(ResolvableType wanted, ResolvableType given) {
    if (isOfMethod(wanted.getType())) {
      return isOfMethod(given.getType())
          && agree((TypeVariable<?>) wanted.getType(), (TypeVariable<?>) given.getType());
    }
    ResolvableType[] ours = wanted.getGenerics();
    if (ours.length == 0) {
      return true;
    }
    ResolvableType[] theirs = given.as(wanted.toClass()).getGenerics();
    if (theirs.length != ours.length) { // a raw type
      return false;
    }
    for (int i = 0; i < ours.length; i++) {
      if (!isSameArgument(ours[i], theirs[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSameArgument(ResolvableType ours, ResolvableType theirs) {
    if (ours.getType() instanceof WildcardType wildcard) {
      return !mentionsMethods(wildcard) // then its bounds were looked at
          || isSame(wildcard, theirs.getType(), Set.of());
    }
    if (ours.getType() instanceof GenericArrayType array && mentionsMethods(array)) {
      return isSame(array, theirs.getType(), Set.of());
    }
    if (isOfMethod(ours.getType())) {
      return agree(ours, theirs);
    }
    if (isOfMethod(theirs.getType())) {
      return false; // be it of the name of one of the class's, which it hides
    }
    return ours.toClass() == theirs.toClass() && agree(ours, theirs);
  }

  private static boolean isOfMethod(Type type) {
    return type instanceof TypeVariable<?> variable
        && variable.getGenericDeclaration() instanceof Method;
  }

  /** Whether a variable of a method stands in it, however deep. */
  private static boolean mentionsMethods(Type type) {
    if (type instanceof WildcardType wildcard) {
      return Stream.of(wildcard.getUpperBounds(), wildcard.getLowerBounds())
          .flatMap(Stream::of)
          .anyMatch(TypeArguments::mentionsMethods);
    }
    if (type instanceof ParameterizedType parameterized) {
      return Stream.of(parameterized.getActualTypeArguments())
          .anyMatch(TypeArguments::mentionsMethods);
    }
    if (type instanceof GenericArrayType array) {
      return mentionsMethods(array.getGenericComponentType());
    }
    return isOfMethod(type);
  }

  private static boolean agree(TypeVariable<?> ours, TypeVariable<?> theirs) {
    return isSame(ours, theirs, Set.of());
  }

  /**
   * Whether two types are one, where a variable of one method is that of the other in its place.
   *
   * @param asked variables whose bounds are being compared: these may name them
   */
  private static boolean isSame(Type ours, Type theirs, Set<Type> asked) {
    if (isOfMethod(ours) && isOfMethod(theirs)) {
      TypeVariable<?> one = (TypeVariable<?>) ours;
      TypeVariable<?> other = (TypeVariable<?>) theirs;
      if (indexOf(one) != indexOf(other)) {
        return false;
      }
      Set<Type> more = new HashSet<>(asked);
      return !more.add(one) || areSame(one.getBounds(), other.getBounds(), more);
    }
    if (ours instanceof ParameterizedType one && theirs instanceof ParameterizedType other) {
      return one.getRawType().equals(other.getRawType())
          && areSame(one.getActualTypeArguments(), other.getActualTypeArguments(), asked);
    }
    if (ours instanceof WildcardType one && theirs instanceof WildcardType other) {
      return areSame(one.getUpperBounds(), other.getUpperBounds(), asked)
          && areSame(one.getLowerBounds(), other.getLowerBounds(), asked);
    }
    if (ours instanceof GenericArrayType one && theirs instanceof GenericArrayType other) {
      return isSame(one.getGenericComponentType(), other.getGenericComponentType(), asked);
    }
    return ours.equals(theirs);
  }

  private static boolean areSame(Type[] ours, Type[] theirs, Set<Type> asked) {
    if (ours.length != theirs.length) {
      return false;
    }
    for (int i = 0; i < ours.length; i++) {
      if (!isSame(ours[i], theirs[i], asked)) {
        return false;
      }
    }
    return true;
  }

  private static int indexOf(TypeVariable<?> variable) {
    return Arrays.asList(variable.getGenericDeclaration().getTypeParameters()).indexOf(variable);
  }
}
