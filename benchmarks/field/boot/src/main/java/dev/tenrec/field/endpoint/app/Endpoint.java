// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint.app;

import java.io.IOException;

/** The endpoint, in one configuration. */
public interface Endpoint {

  /** Has the dependency work, and returns what came of it. */
  Answer answer() throws IOException, InterruptedException;
}
