// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Classes that reach each other, by files: a nested class counts as the one around it. */
public final class Knots {

  private Knots() {}

  /** The largest set of classes that all reach each other through others of {@code classes}. */
  public static Set<String> largest(JavaClasses classes) {
    Map<String, Set<String>> named = named(classes);
    Set<String> largest = Set.of();
    for (String one : named.keySet()) {
      Set<String> knot = around(named, one);
      largest = knot.size() > largest.size() ? knot : largest;
    }
    return largest;
  }

  /** Those that {@code type} reaches and that reach it; empty if there are none. */
  public static Set<String> around(JavaClasses classes, Class<?> type) {
    return around(named(classes), type.getName());
  }

  private static Map<String, Set<String>> named(JavaClasses classes) {
    Map<String, Set<String>> named = new HashMap<>();
    for (JavaClass type : classes) {
      named.computeIfAbsent(file(type), absent -> new HashSet<>());
    }
    for (JavaClass type : classes) {
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        String target = file(dependency.getTargetClass().getBaseComponentType());
        if (named.containsKey(target)) {
          named.get(file(type)).add(target);
        }
      }
    }
    return named;
  }

  private static Set<String> around(Map<String, Set<String>> named, String one) {
    Set<String> knot = new HashSet<>();
    for (String other : reached(named, one)) {
      if (reached(named, other).contains(one)) {
        knot.add(other);
      }
    }
    return knot;
  }

  private static Set<String> reached(Map<String, Set<String>> named, String from) {
    Set<String> reached = new HashSet<>();
    Set<String> next = Set.of(from);
    while (!next.isEmpty()) {
      Set<String> further = new HashSet<>();
      for (String one : next) {
        for (String other : named.get(one)) {
          if (reached.add(other)) {
            further.add(other);
          }
        }
      }
      next = further;
    }
    return reached;
  }

  private static String file(JavaClass type) {
    String name = type.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }
}
