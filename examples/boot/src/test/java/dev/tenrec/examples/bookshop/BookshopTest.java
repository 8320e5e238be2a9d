// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.annotations.boot.TenrecCustomizer;
import dev.tenrec.core.Tenrec;
import dev.tenrec.test.Faults;
import dev.tenrec.test.Leaks;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Runs the shop for a moment, and looks at the account. In real time, for it is the application as
 * users start it: its server, its publisher's, and a file that is watched. No claim depends on how
 * fast the machine is: visitors come until what is claimed has shown.
 */
class BookshopTest {

  private static final String TIMEOUT =
      "tenrec.command.default.execution.isolation.thread.timeoutInMilliseconds";

  private static final Faults FAULTS = Faults.inRealTime();
  private static final AtomicReference<Tenrec> TENREC = new AtomicReference<>();
  private static Account account;
  private static String shown = "";

  @BeforeAll
  static void run() throws Exception {
    // for all but the prices: no fallback serves a batch that has not begun in time
    System.setProperty(TIMEOUT, "60000");
    try {
      account = Bookshop.run(Duration.ofMillis(1_000), BookshopTest::lookIn);
    } finally {
      System.clearProperty(TIMEOUT);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Report.print(account, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    shown = bytes.toString(StandardCharsets.UTF_8);
  }

  private static void lookIn(ConfigurableApplicationContext shop) {
    TenrecCustomizer kit = FAULTS::applyTo;
    shop.getBeanFactory().registerSingleton("kit", kit);
    shop.getBeanFactory()
        .addBeanPostProcessor(
            new BeanPostProcessor() {
              @Override
              public Object postProcessAfterInitialization(Object bean, String name) {
                if (bean instanceof Tenrec tenrec) {
                  FAULTS.attach(tenrec);
                  TENREC.set(tenrec);
                }
                return bean;
              }
            });
  }

  @Test
  void bootLine_isTheOneThisBuildNames() {
    assertThat(SpringBootVersion.getVersion())
        .isEqualTo(System.getProperty("tenrec.test.boot", "3.5.16"));
  }

  @Test
  void account_holds() {
    assertThat(account.checks()).as(shown).isNotEmpty().doesNotContainValue(false);
    assertThat(account.holds()).isTrue();
  }

  @Test
  void changeInTheFile_hasItsEffectWhileTheShopRuns() {
    Visits after = account.after();
    assertThat(account.before().slowPrices()).as(shown).isPositive();
    assertThat(after.slowListPrices())
        .as(shown)
        .isGreaterThan(account.before().slowListPrices())
        .isGreaterThan(after.slowPrices());
    assertThat(account.counts().prices().timeouts()).as(shown).isPositive();
  }

  @Test
  void questionsOfOnePage_areOneRequest() {
    assertThat(account.asked().stockRequests()).as(shown).isPositive();
    // five of a page, and fewer where a slow machine has asked for them one by one; so visitors
    // come until some have met
    assertThat(account.asked().stockBooks())
        .as(shown)
        .isGreaterThan(account.asked().stockRequests());
  }

  @Test
  void context_closed_leavesNoThreadAndNobodyAtItsPort() {
    assertThat(account.left()).isEqualTo(new LeakCheck(List.of(), false));
    Leaks.assertNone(TENREC.get(), FAULTS);
    Leaks.assertNoneAndClose(TENREC.get());
  }

  @Test
  void report_showsThePartsAndTheAccount() {
    assertThat(shown)
        .contains("before", "after", "Prices.price", Bookshop.PRICE_TIMEOUT + "=100")
        .doesNotContain("WRONG");
  }
}
