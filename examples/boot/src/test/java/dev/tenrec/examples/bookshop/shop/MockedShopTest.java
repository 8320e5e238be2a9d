// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.tenrec.test.Faults;
import dev.tenrec.test.spring.TenrecTest;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

/** The shop's commands as an application tests them: the publisher is a mock, or the command is. */
class MockedShopTest {

  /** Time is virtual: no call is late, unless a fault has it be. */
  @Nested
  @TenrecTest
  @DirtiesContext // closed at once: another test looks for threads that are left
  @SpringBootTest(
      webEnvironment = WebEnvironment.NONE,
      properties = "bookshop.publisher=http://localhost:1")
  class WithoutAPublisher {

    @MockitoBean PublisherClient publisher;
    @Autowired Prices prices;
    @Autowired Faults faults;

    @Test
    void price_ofThePublisher_isTodays() throws Exception {
      when(publisher.get("price/7")).thenReturn("1250");

      assertThat(prices.price(7)).isEqualTo(new Book.Price(1250, false));
    }

    @Test
    void price_withoutAnAnswer_isTheListPrice() throws Exception {
      when(publisher.get("price/7")).thenThrow(new IOException("down"));

      assertThat(prices.price(7).isListed()).isTrue();
    }

    @Test
    void price_thatIsLate_isTheListPrice() throws Exception {
      when(publisher.get("price/7")).thenReturn("1250");
      faults.on("Prices.price").first(1).timeOut();

      assertThat(prices.price(7).isListed()).isTrue();
      assertThat(prices.price(7).isListed()).isFalse();
    }
  }

  @Nested
  @DirtiesContext // closed at once: another test looks for threads that are left
  @SpringBootTest(
      webEnvironment = WebEnvironment.NONE,
      properties = "bookshop.publisher=http://localhost:1")
  class WithoutPrices {

    @MockitoBean Prices prices;
    @MockitoBean Stock stock;
    @MockitoSpyBean Reviews reviews;
    @Autowired ShelfController controller;

    @Test
    void shelf_ofStubbedCommands_isMadeOfWhatTheySay() throws Exception {
      when(prices.price(anyInt())).thenAnswer(call -> price(call.getArgument(0)));
      when(stock.left(anyInt())).thenReturn(CompletableFuture.completedFuture(4));
      doReturn(CompletableFuture.completedFuture(5)).when(reviews).stars(anyInt());

      assertThat(controller.shelf(1))
          .containsExactly(
              new Book(6, price(6), 5, 4),
              new Book(7, price(7), 5, 4),
              new Book(8, price(8), 5, 4),
              new Book(9, price(9), 5, 4),
              new Book(10, price(10), 5, 4));

      verify(prices).price(7);
      verify(stock).left(10);
      verify(reviews).stars(6);
    }

    private static Book.Price price(int book) {
      return new Book.Price(100 * book, false);
    }
  }
}
