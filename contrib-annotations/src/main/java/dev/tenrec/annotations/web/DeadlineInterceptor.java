// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.web;

import dev.tenrec.core.Deadline;
import dev.tenrec.core.DeadlineHeader;
import dev.tenrec.core.Tenrec;
import java.io.IOException;
import java.util.Objects;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Has the requests of a {@code RestClient} or a {@code RestTemplate} carry the time that is left
 * until the deadline of the call they are made in; those made without one carry nothing.
 */
public final class DeadlineInterceptor implements ClientHttpRequestInterceptor {

  private final Tenrec tenrec;
  private final DeadlineHeader header;

  /**
   * An interceptor for requests made by this Tenrec's commands.
   *
   * @param header where the time goes
   */
  public DeadlineInterceptor(Tenrec tenrec, DeadlineHeader header) {
    this.tenrec = Objects.requireNonNull(tenrec, "tenrec");
    this.header = Objects.requireNonNull(header, "header");
  }

  @Override
  public ClientHttpResponse intercept(
      HttpRequest request, byte[] body, ClientHttpRequestExecution execution) throws IOException {
    Deadline.current(tenrec)
        .map(Deadline::remaining)
        .ifPresent(left -> request.getHeaders().set(header.name(), header.write(left)));
    return execution.execute(request, body);
  }
}
