// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop.shop;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.springframework.cloud.client.circuitbreaker.CircuitBreaker;
import org.springframework.cloud.client.circuitbreaker.CircuitBreakerFactory;
import org.springframework.stereotype.Service;

/** How long a book is on its way. Written to Spring Cloud; the circuit breaker is a command. */
@Service
public class Delivery {

  private static final int A_WEEK = 7;

  private final CircuitBreaker circuitBreaker;
  private final PublisherClient publisher;

  Delivery(CircuitBreakerFactory<?, ?> circuitBreakers, PublisherClient publisher) {
    this.circuitBreaker = circuitBreakers.create("Delivery");
    this.publisher = publisher;
  }

  /** So many days; a week if the publisher does not say. */
  public int days(int book) {
    return circuitBreaker.run(() -> Integer.parseInt(ask(book)), cause -> A_WEEK);
  }

  private String ask(int book) {
    try {
      return publisher.get("delivery/" + book);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("given up", e);
    }
  }
}
