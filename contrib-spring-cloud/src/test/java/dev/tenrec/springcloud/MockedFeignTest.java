// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.tenrec.annotations.Command;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.view.CommandView;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.cloud.openfeign.EnableFeignClients;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** Clients of OpenFeign's whose methods are commands by annotation, replaced by a test. */
class MockedFeignTest {

  /** The server is never asked: at this address there is none. */
  @FeignClient(name = "pricing", url = "http://127.0.0.1:1")
  interface Pricing {
    @Command
    @GetMapping("/price/{sku}")
    String price(@PathVariable("sku") String sku);
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableFeignClients(clients = Pricing.class)
  static class Application {}

  @Nested
  @SpringBootTest(
      classes = Application.class,
      webEnvironment = SpringBootTest.WebEnvironment.NONE,
      properties = "spring.main.banner-mode=off")
  class Mocked {

    @MockitoBean Pricing pricing;
    @Autowired Tenrec tenrec;

    @Test
    void mock_isStubbedAndVerified_andIsNoCommand() {
      when(pricing.price(any())).thenReturn("5");

      assertThat(pricing.price("1-3")).isEqualTo("5");
      verify(pricing).price("1-3");
      assertThat(tenrec.commands()).isEmpty();
    }
  }

  @Nested
  @SpringBootTest(
      classes = Application.class,
      webEnvironment = SpringBootTest.WebEnvironment.NONE,
      properties = "spring.main.banner-mode=off")
  class Spied {

    @MockitoSpyBean Pricing pricing;

    @Test
    void spy_isStubbedAndVerified() {
      doReturn("6").when(pricing).price("1-3");

      assertThat(pricing.price("1-3")).isEqualTo("6");
      verify(pricing).price("1-3");
    }
  }

  @Nested
  @SpringBootTest(
      classes = Application.class,
      webEnvironment = SpringBootTest.WebEnvironment.NONE,
      properties = "spring.main.banner-mode=off")
  class NotReplaced {

    @Autowired Tenrec tenrec;

    @Test
    void client_isACommand() {
      assertThat(tenrec.commands().stream().map(CommandView::key)).containsExactly("Pricing.price");
    }
  }
}
