// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.rewrite;

import java.util.ArrayList;
import java.util.List;
import org.openrewrite.java.tree.Comment;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.Space;
import org.openrewrite.java.tree.TextComment;
import org.openrewrite.marker.Markers;

/** Comments that say what is left to do by hand. Each is written once. */
final class Marks {

  private static final String BEGIN = " Tenrec: ";

  private Marks() {}

  /** On a line of its own, before a declaration or an import. */
  static <T extends J> T before(T tree, String advice) {
    Space prefix = tree.getPrefix();
    String last = endOf(prefix);
    int line = last.lastIndexOf('\n');
    String indent = line < 0 ? "\n" : last.substring(line);
    return marked(tree, new TextComment(false, BEGIN + advice, indent, Markers.EMPTY));
  }

  /** Within a line. */
  static <T extends J> T within(T tree, String advice) {
    return marked(tree, new TextComment(true, BEGIN + advice + " ", " ", Markers.EMPTY));
  }

  private static <T extends J> T marked(T tree, TextComment mark) {
    Space prefix = tree.getPrefix();
    for (Comment comment : prefix.getComments()) {
      if (comment instanceof TextComment text && text.getText().equals(mark.getText())) {
        return tree;
      }
    }
    List<Comment> comments = new ArrayList<>(prefix.getComments());
    comments.add(mark);
    return tree.withPrefix(prefix.withComments(comments));
  }

  private static String endOf(Space prefix) {
    List<Comment> comments = prefix.getComments();
    return comments.isEmpty()
        ? prefix.getWhitespace()
        : comments.get(comments.size() - 1).getSuffix();
  }
}
