// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Recipe;
import org.openrewrite.TreeVisitor;
import org.openrewrite.marker.Markers;
import org.openrewrite.properties.PropertiesVisitor;
import org.openrewrite.properties.tree.Properties;

/** Writes a comment above keys that Tenrec has no counterpart for, in files of properties. */
public final class MarkPropertyKeys extends Recipe {

  /** For OpenRewrite. */
  public MarkPropertyKeys() {}

  @Override
  public String getDisplayName() {
    return "Mark keys of Hystrix without counterpart in properties";
  }

  @Override
  public String getDescription() {
    return "Keys of the timer, of plugins and of the stream get a comment with what to do.";
  }

  @Override
  public TreeVisitor<?, ExecutionContext> getVisitor() {
    return new PropertiesVisitor<>() {
      @Override
      public Properties visitFile(Properties.File file, ExecutionContext ctx) {
        List<Properties.Content> marked = new ArrayList<>();
        for (Properties.Content content : file.getContent()) {
          String advice =
              content instanceof Properties.Entry entry
                  ? PropertyKeys.adviceFor(entry.getKey())
                  : null;
          if (advice == null || isMarked(marked, advice)) {
            marked.add(content);
            continue;
          }
          marked.add(
              new Properties.Comment(
                  UUID.randomUUID(),
                  content.getPrefix(),
                  Markers.EMPTY,
                  Properties.Comment.Delimiter.HASH_TAG,
                  " Tenrec: " + advice));
          marked.add((Properties.Content) content.withPrefix("\n"));
        }
        return marked.size() == file.getContent().size() ? file : file.withContent(marked);
      }

      private boolean isMarked(List<Properties.Content> before, String advice) {
        return !before.isEmpty()
            && before.get(before.size() - 1) instanceof Properties.Comment comment
            && comment.getMessage().equals(" Tenrec: " + advice);
      }
    };
  }
}
