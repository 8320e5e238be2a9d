// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint.app;

import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import java.io.IOException;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The endpoint by HTTP, each configuration under its name. */
@RestController
class EndpointController {

  private final Map<String, Endpoint> endpoints;

  EndpointController(Map<String, Endpoint> endpoints) {
    this.endpoints = endpoints;
  }

  /** 200 for the dependency's answer, 203 (not from the source) for the fallback's. */
  @GetMapping("/{configuration}")
  ResponseEntity<String> answer(@PathVariable("configuration") String configuration)
      throws IOException, InterruptedException {
    Endpoint endpoint = endpoints.get(configuration);
    if (endpoint == null) {
      return ResponseEntity.notFound().build();
    }
    Answer answer = endpoint.answer();
    HttpStatus status =
        answer.degraded() ? HttpStatus.NON_AUTHORITATIVE_INFORMATION : HttpStatus.OK;
    return ResponseEntity.status(status).body(answer.text());
  }

  @ExceptionHandler({CommandRejectedException.class, CircuitOpenException.class})
  ResponseEntity<String> refused(Exception why) {
    return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE).body(why.getMessage());
  }

  @ExceptionHandler(CommandTimeoutException.class)
  ResponseEntity<String> late(Exception why) {
    return ResponseEntity.status(HttpStatus.GATEWAY_TIMEOUT).body(why.getMessage());
  }

  @ExceptionHandler(IOException.class)
  ResponseEntity<String> failed(Exception why) {
    return ResponseEntity.status(HttpStatus.BAD_GATEWAY).body(why.getMessage());
  }
}
