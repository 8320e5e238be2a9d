// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.rewrite;

import org.openrewrite.ExecutionContext;
import org.openrewrite.Preconditions;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.search.UsesType;

/** Sources that use Hystrix: RxJava 1 elsewhere is the application's own. */
final class FromHystrix {

  private FromHystrix() {}

  static TreeVisitor<?, ExecutionContext> only(TreeVisitor<?, ExecutionContext> visitor) {
    return Preconditions.check(new UsesType<>("com.netflix.hystrix..*", false), visitor);
  }
}
