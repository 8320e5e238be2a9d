// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop.shop;

import dev.tenrec.annotations.Command;
import java.io.IOException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * What clerks order. The transaction begins and ends within the command: one that is late, or finds
 * too few copies, writes nothing.
 */
@Service
public class Orders {

  private final JdbcTemplate jdbc;
  private final PublisherClient publisher;

  Orders(JdbcTemplate jdbc, PublisherClient publisher) {
    this.jdbc = jdbc;
    this.publisher = publisher;
  }

  /** Orders copies of a book. */
  @PreAuthorize("hasRole('CLERK')")
  @Command(timeout = "${bookshop.order-timeout:1s}", ignoreExceptions = SoldOutException.class)
  @Transactional
  public void place(int book, int copies) throws IOException, InterruptedException {
    int written = jdbc.update("insert into orders (book, copies) values (?, ?)", book, copies);
    int left = Integer.parseInt(publisher.get("stock/" + book));
    if (written == 1 && left < copies) {
      throw new SoldOutException(book, left);
    }
  }
}
