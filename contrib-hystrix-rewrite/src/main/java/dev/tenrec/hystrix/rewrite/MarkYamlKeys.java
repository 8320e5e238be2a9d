// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.rewrite;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Recipe;
import org.openrewrite.TreeVisitor;
import org.openrewrite.yaml.YamlIsoVisitor;
import org.openrewrite.yaml.tree.Yaml;

/** Writes a comment above keys that Tenrec has no counterpart for, in YAML. */
public final class MarkYamlKeys extends Recipe {

  /** For OpenRewrite. */
  public MarkYamlKeys() {}

  @Override
  public String getDisplayName() {
    return "Mark keys of Hystrix without counterpart in YAML";
  }

  @Override
  public String getDescription() {
    return "Keys of the timer, of plugins and of the stream get a comment with what to do.";
  }

  @Override
  public TreeVisitor<?, ExecutionContext> getVisitor() {
    return new YamlIsoVisitor<>() {
      @Override
      public Yaml.Mapping.Entry visitMappingEntry(Yaml.Mapping.Entry entry, ExecutionContext ctx) {
        Yaml.Mapping.Entry visited = super.visitMappingEntry(entry, ctx);
        Deque<String> names = names();
        String advice = PropertyKeys.adviceFor(String.join(".", names));
        names.removeLast(); // all of this entry's, which may hold dots itself
        if (advice == null || PropertyKeys.adviceFor(String.join(".", names)) != null) {
          return visited; // moved, or marked above
        }
        String mark = "# Tenrec: " + advice;
        String prefix = visited.getPrefix();
        if (prefix.contains(mark)) {
          return visited;
        }
        int line = prefix.lastIndexOf('\n');
        return visited.withPrefix(
            prefix + mark + (line < 0 ? "\n" + prefix : prefix.substring(line)));
      }

      /** Of the entries from the uppermost to this one. */
      private Deque<String> names() {
        Deque<String> names = new ArrayDeque<>();
        Iterator<Object> path = getCursor().getPath(Yaml.Mapping.Entry.class::isInstance);
        while (path.hasNext()) {
          names.addFirst(((Yaml.Mapping.Entry) path.next()).getKey().getValue());
        }
        return names;
      }
    };
  }
}
