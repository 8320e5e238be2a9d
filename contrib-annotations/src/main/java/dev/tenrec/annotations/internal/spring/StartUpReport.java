// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import dev.tenrec.annotations.internal.declaration.DeclaredCommand;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.scope.ScopedProxyUtils;

/** Says in the log what was found at start-up, and which beans share circuits by chance. */
final class StartUpReport {

  private static final Logger LOG = LoggerFactory.getLogger(StartUpReport.class);

  /** The names of the beans of each class, in the order of the context. */
  private final Map<ClassCommands, Set<String>> beans = new LinkedHashMap<>();

  /** Adds a bean, with the types that declare its commands. */
  void add(String bean, List<ClassCommands> declared) {
    if (!ScopedProxyUtils.isScopedTarget(bean)) { // its proxy has the name
      for (ClassCommands type : declared) {
        boolean unused = beans.computeIfAbsent(type, none -> new TreeSet<>()).add(bean);
      }
    }
  }

  /** Writes one line with the numbers, and one for each class whose beans share commands. */
  void write() {
    int commands =
        beans.keySet().stream().mapToInt(type -> type.declared().commands().size()).sum();
    int collapsers =
        beans.keySet().stream().mapToInt(type -> type.declared().collapsers().size()).sum();
    long found = beans.values().stream().flatMap(Set::stream).distinct().count();
    LOG.info(
        "Found {}{} in {}",
        count(commands, "command"),
        collapsers == 0 ? "" : " and " + count(collapsers, "collapser"),
        count(found, "bean"));
    beans.forEach(StartUpReport::warnIfShared);
  }

  private static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  /** A key that the annotation names was chosen, and so was what beans share by it. */
  private static void warnIfShared(ClassCommands type, Set<String> names) {
    String keys =
        type.declared().commands().stream()
            .filter(DeclaredCommand::hasDefaultKey)
            .map(command -> command.key().toString())
            .sorted()
            .collect(Collectors.joining(", "));
    if (names.size() > 1 && !keys.isEmpty()) {
      LOG.warn(
          "The beans {} are of one class, {}, and share its commands: {}. A circuit that opens for"
              + " one of them is open for all. To part them, give each bean a class of its own (an"
              + " empty subclass will do), or make the commandKey of an argument, as"
              + " \"Quotes-#{{}}\"; a commandKey without an expression says that they share on"
              + " purpose, and ends this warning",
          String.join(", ", names),
          type.declared().type().getName(),
          keys,
          "#region");
    }
  }
}
