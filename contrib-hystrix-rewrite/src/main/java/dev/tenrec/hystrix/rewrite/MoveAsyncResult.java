// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.rewrite;

import org.jspecify.annotations.Nullable;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Recipe;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.JavaTemplate;
import org.openrewrite.java.JavaVisitor;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.Space;
import org.openrewrite.java.tree.Statement;
import org.openrewrite.java.tree.TypeUtils;

/** {@code new AsyncResult<T>() {..}} that only returns becomes a completed future. */
public final class MoveAsyncResult extends Recipe {

  private static final String ASYNC_RESULT =
      "com.netflix.hystrix.contrib.javanica.command.AsyncResult";

  /** For OpenRewrite. */
  public MoveAsyncResult() {}

  @Override
  public String getDisplayName() {
    return "Replace javanica's AsyncResult by a completed future";
  }

  @Override
  public String getDescription() {
    return "The method runs on its pool either way. One whose invoke does more than return is "
        + "marked.";
  }

  @Override
  public TreeVisitor<?, ExecutionContext> getVisitor() {
    return FromHystrix.only(new ToFutures());
  }

  private static final class ToFutures extends JavaVisitor<ExecutionContext> {

    @Override
    public J visitNewClass(J.NewClass made, ExecutionContext ctx) {
      J visited = super.visitNewClass(made, ctx);
      if (made.getClazz() == null
          || !TypeUtils.isOfClassType(made.getClazz().getType(), ASYNC_RESULT)
          || !(visited instanceof J.NewClass async)) {
        return visited;
      }
      Expression answer = answerOf(async);
      if (answer == null) {
        return Marks.within(
            async, "CompletableFuture.completedFuture(value); what leads to the value before it");
      }
      maybeRemoveImport(ASYNC_RESULT);
      maybeAddImport("java.util.concurrent.CompletableFuture");
      return JavaTemplate.builder("CompletableFuture.completedFuture(#{any(java.lang.Object)})")
          .imports("java.util.concurrent.CompletableFuture")
          .build()
          .apply(
              updateCursor(async),
              async.getCoordinates().replace(),
              answer.<Expression>withPrefix(Space.EMPTY));
    }

    /** What its {@code invoke} returns, if it does nothing else. */
    private static @Nullable Expression answerOf(J.NewClass async) {
      J.Block body = async.getBody();
      if (body == null || body.getStatements().size() != 1) {
        return null;
      }
      Statement only = body.getStatements().get(0);
      if (!(only instanceof J.MethodDeclaration invoke)
          || !invoke.getSimpleName().equals("invoke")
          || invoke.getBody() == null
          || invoke.getBody().getStatements().size() != 1) {
        return null;
      }
      return invoke.getBody().getStatements().get(0) instanceof J.Return answer
          ? answer.getExpression()
          : null;
    }
  }
}
