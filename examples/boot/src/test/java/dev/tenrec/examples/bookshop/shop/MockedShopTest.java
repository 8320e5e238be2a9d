// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.tenrec.core.Tenrec;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
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

  @Nested
  @DirtiesContext // closed at once: another test looks for threads that are left
  @SpringBootTest(
      webEnvironment = WebEnvironment.NONE,
      properties = {"bookshop.publisher=http://localhost:1", "bookshop.price-timeout=30s"})
  class WithoutAPublisher {

    @MockitoBean PublisherClient publisher;
    @Autowired Prices prices;
    @Autowired Tenrec tenrec;

    @AfterEach
    void forget() {
      tenrec.remove("Prices.price");
    }

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

    @Test
    void commands_areStubbedAndVerified_asAnyBean() throws Exception {
      when(prices.price(7)).thenReturn(new Book.Price(1, false));

      assertThat(prices.price(7).cents()).isEqualTo(1);
      verify(prices).price(7);
    }
  }
}
