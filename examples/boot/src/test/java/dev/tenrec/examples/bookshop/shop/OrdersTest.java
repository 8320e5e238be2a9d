// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop.shop;

import static dev.tenrec.test.TenrecAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import dev.tenrec.test.Faults;
import dev.tenrec.test.spring.TenrecTest;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.test.context.support.WithMockUser;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.transaction.AfterTransaction;
import org.springframework.transaction.annotation.Transactional;

/** Orders and delivery, as an application tests what has transactions, users and mocks. */
class OrdersTest {

  private static int orders(JdbcTemplate jdbc) {
    Integer count = jdbc.queryForObject("select count(*) from orders", Integer.class);
    return count == null ? -1 : count;
  }

  private static CommandDetails placing(Tenrec tenrec) {
    return tenrec.commands().stream()
        .filter(command -> command.key().equals("Orders.place"))
        .findFirst()
        .orElseThrow();
  }

  @Nested
  @TenrecTest(virtualTime = false) // one test has a thread be late while its transaction is open
  @DirtiesContext // closed at once: another test looks for threads that are left
  @SpringBootTest(
      webEnvironment = WebEnvironment.NONE,
      properties = {
        "bookshop.publisher=http://localhost:1",
        "bookshop.order-timeout=30s",
        "tenrec.command.default.execution.isolation.thread.timeout-in-milliseconds=30s",
        "spring.datasource.generate-unique-name=true"
      })
  class OnAPool {

    private static final String TIMEOUT =
        "tenrec.command.Orders.place.execution.isolation.thread.timeoutInMilliseconds";

    @MockitoBean PublisherClient publisher;
    @Autowired Orders orders;
    @Autowired Delivery delivery;
    @Autowired JdbcTemplate jdbc;
    @Autowired Tenrec tenrec;
    @Autowired Faults faults;

    @AfterEach
    void forget() {
      jdbc.update("delete from orders");
    }

    @Test
    @WithMockUser(roles = "CLERK")
    void order_ofAClerk_isWritten() throws Exception {
      when(publisher.get("stock/7")).thenReturn("3");

      orders.place(7, 2);

      assertThat(orders(jdbc)).isEqualTo(1);
    }

    @Test
    @WithMockUser(roles = "READER")
    void order_ofAReader_isDeniedBeforeItIsACall() {
      tenrec.remove("Orders.place"); // the next call brings it back

      assertThatThrownBy(() -> orders.place(7, 2)).isInstanceOf(AccessDeniedException.class);

      verifyNoInteractions(publisher);
      assertThat(tenrec.commands())
          .extracting(CommandView::key)
          .contains("Prices.price")
          .doesNotContain("Orders.place");
      assertThat(orders(jdbc)).isZero();
    }

    @Test
    @WithMockUser(roles = "CLERK")
    void order_ofMoreThanThereAre_isRolledBackAndNoFailure() throws Exception {
      when(publisher.get("stock/7")).thenReturn("1");

      assertThatThrownBy(() -> orders.place(7, 2)).isInstanceOf(SoldOutException.class);

      assertThat(orders(jdbc)).isZero();
      assertThat(placing(tenrec)).hasCounted(EventType.BAD_REQUEST, 1);
    }

    @Test
    @WithMockUser(roles = "CLERK")
    void order_thatIsLate_isNeverCommitted() throws Exception {
      CountDownLatch answered = new CountDownLatch(1);
      tenrec.set(TIMEOUT, "200");
      when(publisher.get("stock/7"))
          .thenAnswer(
              asked -> {
                try {
                  answered.await();
                } catch (InterruptedException e) {
                  // as a driver that does not care
                }
                return "3";
              });

      assertThatThrownBy(() -> orders.place(7, 2)).isInstanceOf(CommandTimeoutException.class);
      answered.countDown();

      assertThat(placing(tenrec)).hasCounted(EventType.TIMEOUT, 1).holdsNoPermit(); // in the end
      assertThat(orders(jdbc)).isZero();
    }

    @Test
    void delivery_ofThePublisher_isItsAnswer() throws Exception {
      when(publisher.get("delivery/7")).thenReturn("2");

      assertThat(delivery.days(7)).isEqualTo(2);
    }

    @Test
    void delivery_withoutAnAnswer_takesAWeek() {
      faults.on("Delivery").fail(new IOException("down"));

      assertThat(delivery.days(7)).isEqualTo(7);
    }

    @Test
    void delivery_withAnOpenCircuit_doesNotAsk() {
      faults.open("Delivery");

      assertThat(delivery.days(7)).isEqualTo(7);
      verifyNoInteractions(publisher);
    }
  }

  @Nested
  @DirtiesContext // closed at once: another test looks for threads that are left
  @SpringBootTest(
      webEnvironment = WebEnvironment.NONE,
      properties = {
        "bookshop.publisher=http://localhost:1",
        "bookshop.order-timeout=30s",
        "tenrec.command.default.execution.isolation.strategy=SEMAPHORE",
        "spring.datasource.generate-unique-name=true"
      })
  @Transactional
  class WithinTheTestsTransaction {

    @MockitoBean PublisherClient publisher;
    @Autowired Orders orders;
    @Autowired JdbcTemplate jdbc;

    @AfterTransaction
    void nothingIsLeft() {
      assertThat(orders(jdbc)).isZero();
    }

    @Test
    @WithMockUser(roles = "CLERK")
    void order_takesPartInTheTestsTransaction() throws Exception {
      when(publisher.get("stock/7")).thenReturn("3");
      jdbc.update("insert into orders (book, copies) values (1, 1)");

      orders.place(7, 2);

      assertThat(orders(jdbc)).isEqualTo(2);
    }
  }
}
