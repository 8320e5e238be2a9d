// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal.console;

import dev.tenrec.actuator.internal.stream.StreamPath;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * {@code /actuator/tenrecconsole}, which leads to the page one slash below. As an endpoint it is
 * exposed, secured and listed like any other; the page's parts are served beside it, because
 * endpoints set no headers and do not stream.
 */
@WebEndpoint(id = ConsoleEndpoint.ID, defaultAccess = Access.READ_ONLY)
public final class ConsoleEndpoint {

  static final String ID = "tenrecconsole";

  private final String page;

  /** Below these endpoints' path. */
  public ConsoleEndpoint(WebEndpointProperties endpoints) {
    String path = StreamPath.of(endpoints, ID);
    this.page = path.substring(path.lastIndexOf('/') + 1) + "/";
  }

  /** Has a browser go on to the page. */
  @ReadOperation(produces = "text/html;charset=UTF-8")
  public String lead() {
    return "<!doctype html><title>Tenrec</title><meta http-equiv=\"refresh\" content=\"0;url="
        + page
        + "\"><a href=\""
        + page
        + "\">Tenrec</a>";
  }
}
