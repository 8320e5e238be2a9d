// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint.app;

import java.io.IOException;
import org.springframework.stereotype.Service;

/** Between the visitor and the dependency there is nothing. */
@Service
class Unguarded implements Endpoint {

  private final Dependency dependency;

  Unguarded(Dependency dependency) {
    this.dependency = dependency;
  }

  @Override
  public Answer answer() throws IOException, InterruptedException {
    return dependency.work();
  }
}
