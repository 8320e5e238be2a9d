// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.annotations.Command;
import dev.tenrec.core.Tenrec;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.ContextConfiguration;

/** Commands in tests of slices of an application, as its page has it. */
class SlicesTest {

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Shop {

    @Bean
    Quotes quotes() {
      return new Quotes();
    }
  }

  static class Quotes {

    @Command(fallbackMethod = "instead", timeout = "none")
    public String quote() {
      throw new IllegalStateException("down");
    }

    String instead() {
      return "instead";
    }
  }

  @Nested
  @SpringBootTest(classes = Shop.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
  class WholeTest {
    @Autowired Quotes quotes;

    @Test
    void application_hasCommands() {
      assertThat(quotes.quote()).isEqualTo("instead");
    }
  }

  @Nested
  @JsonTest
  @ContextConfiguration(classes = Shop.class)
  class SliceTest {
    @Autowired Quotes quotes;
    @Autowired ObjectProvider<Tenrec> tenrec;

    @Test
    void slice_hasPlainMethods() {
      assertThat(tenrec.getIfAvailable()).isNull();
      assertThat(AopUtils.isAopProxy(quotes)).isFalse();
      assertThatThrownBy(quotes::quote).isInstanceOf(IllegalStateException.class);
    }
  }

  @Nested
  @JsonTest
  @ImportAutoConfiguration(TenrecAutoConfiguration.class)
  @ContextConfiguration(classes = Shop.class)
  class SliceWithCommandsTest {
    @Autowired Quotes quotes;
    @Autowired Tenrec tenrec;

    @Test
    void slice_withTheAutoConfiguration_hasCommands() {
      assertThat(quotes.quote()).isEqualTo("instead");
      assertThat(tenrec.commands()).hasSize(1);
    }
  }
}
