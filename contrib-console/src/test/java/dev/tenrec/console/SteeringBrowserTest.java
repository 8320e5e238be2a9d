// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.FleetMember;
import dev.tenrec.fleet.FleetOperator;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.MemoryStore;
import dev.tenrec.metrics.view.CircuitState;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.WebElement;

/** A fleet steered from the page, as a browser does it. Skipped where there is no Chromium. */
@Tag("external")
class SteeringBrowserTest {

  private static final String ALICE = "alice-0123456789";
  private static final String ODD = "<img src=x onerror=document.title='hacked'>";
  private static final String SLEEP =
      "tenrec.command.GetQuote.circuitBreaker.sleepWindowInMilliseconds";

  private static final String VOLUME =
      "tenrec.command.GetQuote.circuitBreaker.requestVolumeThreshold";

  private static Browser browser;

  private final MemoryStore engine = new MemoryStore();
  private final FleetOperator alice = FleetOperator.of(engine.connect("alice " + ODD));
  private final List<AutoCloseable> open = new ArrayList<>();
  private Tenrec first;
  private Command<String, String> quotes;
  private Console console;

  @BeforeAll
  static void open() {
    browser = Browser.open();
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void start() throws Exception {
    first = instance("shop-7", "a");
    var unused = instance("shop-8", "b");
    FleetOperator viewer = FleetOperator.of(engine.connect("viewer"));
    await().until(() -> viewer.members().size() == 2);
    console = Console.builder(first).fleet(viewer).operator(ALICE, alice).start();
    browser.size(1280, 1000);
  }

  private Tenrec instance(String id, String zone) {
    FleetStore store = engine.connect(id);
    FleetMember member = FleetMember.builder(store, id).zone(zone).start();
    Tenrec tenrec = Tenrec.builder().remoteSource(member).build();
    tenrec.set("tenrec.command.default.metrics.rollingStats.timeInMilliseconds", "1000");
    Command<String, String> command =
        tenrec.command("GetQuote", (String s) -> s).isolation(Isolation.semaphore(5)).build();
    quotes = quotes == null ? command : quotes;
    member.observe(tenrec);
    open.addAll(List.of(tenrec, member, store));
    return tenrec;
  }

  @AfterEach
  void stop() throws Exception {
    browser.clear();
    console.close();
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private void openAsAlice(String where) {
    browser.driver.get(console.uri() + "?token=" + ALICE);
    browser.awaitText("#link", "live");
    browser.driver.get(console.uri() + where);
    browser.driver.navigate().refresh();
    browser.awaitText("#link", "live");
  }

  /** Clicks the first visible button of these words, whenever it comes. */
  private static void click(String where, String words) {
    browser.await(words + " in " + where, () -> isClicked(where, words));
  }

  private static boolean isClicked(String where, String words) {
    for (WebElement button : browser.all(where + " button")) {
      if (button.getText().equals(words) && button.isDisplayed()) {
        button.click();
        return true;
      }
    }
    return false;
  }

  /** Clicks until there is a form with this title: news may replace the button under the mouse. */
  private static void openForm(String where, String words, String title) {
    browser.await(
        title + " after " + words + " in " + where,
        () ->
            browser.text("form.change h3").contains(title)
                || isClicked(where, words) && browser.text("form.change h3").contains(title));
  }

  private static void type(String selector, String words) {
    browser.await(selector, () -> browser.one(selector).isDisplayed());
    browser.one(selector).clear();
    browser.one(selector).sendKeys(words);
  }

  private static void choose(String name, String value) {
    browser.await(
        value,
        () -> {
          browser.one("select[name=" + name + "] option[value='" + value + "']").click();
          return true;
        });
  }

  @Test
  void command_thatIsForcedOpenByItsPage_isOpenAndTheHistoryKnowsWhoAndWhy() throws Exception {
    openAsAlice("#/commands");
    browser.awaitText("#source", "shop-7 in a · version 0");
    browser.awaitText(".row", "GetQuote");
    browser.one(".row").click();
    click("#story", "Force open");
    choose("where", "instance/shop-7");
    choose("span", "600");
    type("input[name=reason]", ODD);
    click("form.change", "Dry run");
    browser.awaitText("form.change pre", "not set -> true for 600 s");
    assertThat(alice.history(10)).as("a dry run writes nothing").isEmpty();
    click("form.change", "Write");
    browser.awaitText("form.change pre", "version 1 is written; 2 of 2 instances go by it");
    await().until(() -> first.commands().get(0).circuitState() == CircuitState.FORCED_OPEN);
    browser.awaitText("#story p", "FORCED OPEN");
    browser.awaitText("#story table", "version 1 by alice");
    browser.awaitText("#source", "version 1");

    browser.one("#tabs a[href='#/fleet']").click();
    browser.awaitText("#fleet", "Version 1 by alice " + ODD + ": " + ODD);
    browser.awaitText("#fleet", "instance/shop-7");
    browser.awaitText("#fleet", "until ");
    assertThat(browser.all("#fleet img")).isEmpty();
    openForm("#fleet", "Undo", "Take version 1 back");
    type("#fleet input[name=reason]", "it is up again");
    click("#fleet form.change", "Write");
    browser.awaitText("#fleet form.change pre", "version 2 is written");
    await().until(() -> first.commands().get(0).circuitState() == CircuitState.CLOSED);
    browser.awaitText("#fleet", "it is up again");
    assertThat(browser.driver.getTitle()).isEqualTo("Fleet – Tenrec");
    browser.hasNothingToComplainOf();
  }

  @Test
  void canary_fromThePage_isTriedOnSomeAndPromoted() throws Exception {
    openAsAlice("#/fleet");
    browser.awaitText("#fleet", "You are alice");
    browser.awaitText("#fleet", "shop-8");
    click("#fleet", "Set a property");
    type("form.change input[type=text]", SLEEP);
    browser.all("form.change input[type=text]").get(1).sendKeys("4000");
    choose("where", "new");
    type("input[name=share]", "0");
    type("input[name=members]", "shop-8");
    type("input[name=errors]", "5");
    type("input[name=reason]", "try it");
    click("form.change", "Write");
    browser.awaitText("form.change pre", "2 of 2 instances go by it");
    browser.awaitText(".canary", "In: shop-8");
    browser.awaitText(".canary", "members leave at errors above 5 % of 100 calls");
    openForm(".canary", "Promote", "Make canary");
    type("input[name=reason]", "no difference");
    click("form.change", "Write");
    browser.awaitText("form.change pre", "version 2 is written; 2 of 2 instances go by it");
    assertThat(alice.state().of(FleetLayer.FLEET).settings().get(SLEEP).value()).isEqualTo("4000");
    browser.await("no canary any more", () -> browser.all(".canary").isEmpty());
    browser.fitsANarrowScreen();
    browser.hasNothingToComplainOf();
  }

  @Test
  void advice_ofTheAdviser_isTriedAsACanaryByOneClick() throws Exception {
    openAsAlice("#/commands");
    browser.awaitText(".row", "GetQuote");
    browser.one(".row").click();
    browser.awaitText("#story", "watched for");
    for (int i = 0; i < 3; i++) {
      var unused = quotes.attempt("one"); // too few for the circuit to open, also if one is late
    }
    browser.awaitText(
        "#story", "set command.GetQuote.circuitBreaker.requestVolumeThreshold: 20 → ");
    click("#story", "Try it as a canary");
    type("input[name=share]", "0");
    type("input[name=members]", "shop-8");
    type("input[name=reason]", "the adviser says so");
    click("form.change", "Write");
    browser.awaitText("form.change pre", "2 of 2 instances go by it");
    assertThat(alice.state().of(FleetLayer.CANARY).settings()).containsOnlyKeys(VOLUME);
    assertThat(alice.state().of(FleetLayer.CANARY).canary().members()).containsExactly("shop-8");
    browser.hasNothingToComplainOf();
  }

  @Test
  void instance_byItsLink_isSeenThroughThisPage_andItsAdviceIsReadBeforeItIsWritten()
      throws Exception {
    FleetStore store = engine.connect("shop-9");
    FleetMember member = FleetMember.builder(store, "shop-9").start();
    Tenrec its = Tenrec.builder().remoteSource(member).build();
    its.set("tenrec.command.default.metrics.rollingStats.timeInMilliseconds", "1000");
    Command<String, String> only =
        its.command("OnlyThere", (String s) -> s).isolation(Isolation.semaphore(5)).build();
    member.observe(its);
    Console own = Console.start(its, 0);
    member.console(URI.create("http://127.0.0.1:" + own.address().getPort() + "/tenrec/"));
    open.addAll(List.of(own, its, member, store));
    console.close();
    console =
        Console.builder(first)
            .fleet(FleetOperator.of(engine.connect("viewer")))
            .operator(ALICE, alice)
            .instances(List.of("127.0.0.0/8"))
            .stalledAfter(Duration.ofMinutes(1))
            .start();

    openAsAlice("#/fleet");
    browser.await(
        "its link",
        () -> {
          for (WebElement link : browser.all("#fleet a")) {
            if (link.getText().equals("shop-9")) {
              link.click();
              return true;
            }
          }
          return false;
        });
    browser.awaitText("#instance", "instance shop-9, seen through this page");
    browser.awaitText("#link", "live");
    browser.awaitText(".row", "OnlyThere");
    browser.one(".row").click();
    browser.awaitText("#story", "watched for");
    for (int i = 0; i < 3; i++) {
      var unused = only.attempt("one");
    }
    browser.awaitText(
        "#story", "set command.OnlyThere.circuitBreaker.requestVolumeThreshold: 20 → ");
    click("#story", "Try it as a canary");
    browser.awaitText("form.change", "These values come from instance shop-9");
    type("input[name=share]", "0");
    type("input[name=members]", "shop-9");
    type("input[name=reason]", "its adviser says so");
    assertThat(browser.one("form.change button.strong").isEnabled()).isFalse();
    click("form.change", "Dry run");
    browser.awaitText("form.change pre", "on version 0:");
    click("form.change", "Write");
    browser.awaitText("form.change pre", "3 of 3 instances go by it");
    assertThat(alice.state().of(FleetLayer.CANARY).canary().members()).containsExactly("shop-9");
    browser.hasNothingToComplainOf();
  }

  @Test
  void change_thatInstancesWouldRefuse_saysWhichRule() {
    openAsAlice("#/fleet");
    click("#fleet", "Set a property");
    type("form.change input[type=text]", SLEEP);
    browser.all("form.change input[type=text]").get(1).sendKeys("soon");
    type("input[name=reason]", "try it");
    click("form.change", "Write");
    browser.awaitText("form.change pre", "instances would refuse; " + SLEEP);
    assertThat(alice.history(10)).isEmpty();
  }

  /** Has the page's next change written, and something else happen in place of its answer. */
  private static void loseTheNextAnswer(String instead) {
    browser.script(
        "const real = window.fetch; let lost = false; window.fetch = async (where, what) => {"
            + " const answer = await real(where, what);"
            + " if (lost || !what || what.method !== 'POST') return answer;"
            + " lost = true; "
            + instead
            + " }");
  }

  private void setSleepOfAnInstance(String value) {
    click("#fleet", "Set a property");
    type("form.change input[type=text]", SLEEP);
    browser.all("form.change input[type=text]").get(1).sendKeys(value);
    choose("where", "instance/shop-8");
    type("input[name=reason]", "slower");
  }

  @Test
  void change_whoseAnswerWasLost_isWrittenOnceAlsoAfterADryRun() {
    openAsAlice("#/fleet");
    browser.awaitText("#fleet", "shop-8");
    setSleepOfAnInstance("4000");
    loseTheNextAnswer("return new Response('the proxy gave up', {status: 502});");
    click("form.change", "Write");
    browser.awaitText("form.change pre", "the proxy gave up");
    click("form.change", "Dry run");
    browser.awaitText("form.change pre", "on version 1:");
    click("form.change", "Write");
    browser.awaitText("form.change pre", "version 1 is written");
    assertThat(alice.history(10)).hasSize(1);
  }

  @Test
  void change_thatBecameAnotherAfterItsAnswerWasLost_isWrittenAsTheOther() {
    openAsAlice("#/fleet");
    browser.awaitText("#fleet", "shop-8");
    setSleepOfAnInstance("4000");
    loseTheNextAnswer("throw new TypeError('cut off');");
    click("form.change", "Write");
    browser.awaitText("form.change pre", "no answer: it may have been written");
    browser.all("form.change input[type=text]").get(1).clear();
    browser.all("form.change input[type=text]").get(1).sendKeys("5000");
    browser.awaitText("#fleet", "Version 1 by alice");
    click("form.change", "Write");
    browser.awaitText("form.change pre", "expected version 0, but there is version 1 by alice");
    click("form.change", "Write");
    browser.awaitText("form.change pre", "version 2 is written");
    assertThat(sleepOf("shop-8")).isEqualTo("5000");
  }

  private String sleepOf(String instance) {
    return alice.state().of(FleetLayer.instance(instance)).settings().get(SLEEP).value();
  }

  @Test
  void page_whoseAnswerMakesNoSense_asksAgain() {
    openAsAlice("#/fleet");
    browser.awaitText("#fleet", "You are alice");
    browser.script(
        "const real = window.fetch; window.odd = true; window.fetch = (where, what) =>"
            + " window.odd ? Promise.resolve(new Response('{\"manifest\":{\"version\":9}}'))"
            + " : real(where, what)");
    browser.await("odd", () -> !browser.text("#fleet").contains("You are alice"));
    browser.script("window.odd = false");
    browser.awaitText("#fleet", "You are alice");
  }

  @Test
  void setting_ofAnInstanceThatIsGone_isChangedThere() {
    alice.change("for the night").set(FleetLayer.instance("gone-1"), SLEEP, "4000").write();
    openAsAlice("#/fleet");
    browser.awaitText("#fleet", "instance/gone-1");
    click("#fleet", "Change");
    type("input[name=reason]", "it comes back");
    browser.all("form.change input[type=text]").get(1).clear();
    browser.all("form.change input[type=text]").get(1).sendKeys("5000");
    click("form.change", "Write");
    browser.awaitText("form.change pre", "version 2 is written");
    assertThat(sleepOf("gone-1")).isEqualTo("5000");
    browser.hasNothingToComplainOf();
  }

  @Test
  void undo_isOfferedOfWhatCanBeUndoneOnly() {
    alice
        .change("try")
        .set(FleetLayer.CANARY, SLEEP, "4000")
        .canary(List.of("shop-8"), 0, Duration.ofHours(1))
        .write();
    alice.change("more").set(FleetLayer.CANARY, SLEEP, "5000").write();
    alice.rollBack("no");
    openAsAlice("#/fleet");
    browser.awaitText("#fleet", "rollback");
    assertThat(browser.text("#fleet button")).contains("Freeze").doesNotContain("Undo");
    alice
        .change("again")
        .set(FleetLayer.CANARY, SLEEP, "4000")
        .canary(List.of("shop-8"), 0, Duration.ofHours(1))
        .write();
    alice.promote("it is good");
    browser.awaitText("#fleet", "it is good");
    assertThat(browser.text("#fleet button")).containsOnlyOnce("Undo");
    browser.hasNothingToComplainOf();
  }

  @Test
  void reader_ofTheFleet_seesAllAndHasNoButton() throws Exception {
    alice.change("slower").set(FleetLayer.zone("b"), SLEEP, "4000").write();
    browser.driver.manage().deleteAllCookies();
    browser.driver.get(console.uri() + "#/fleet");
    browser.awaitText("#fleet", "You may look only");
    browser.awaitText("#fleet", "zone/b");
    browser.awaitText("#fleet", "slower");
    assertThat(browser.all("#fleet button")).isEmpty();
    browser.driver.get(console.uri() + "#/commands");
    browser.awaitText(".row", "GetQuote");
    browser.one(".row").click();
    browser.awaitText("#story table", "circuitBreaker.sleepWindowInMilliseconds");
    assertThat(browser.text("#story button")).doesNotContain("Change", "Force");
    browser.hasNothingToComplainOf();
  }

  @Test
  void instance_thatIsCutOffFromTheStore_saysSoOnEveryPage() {
    openAsAlice("#/fleet");
    browser.awaitText("#fleet", "You are alice");
    engine.goAway();
    browser.awaitText("#source", "cut off from the settings’ store, goes by what it has");
    browser.awaitText("#fleet", "store is not reached");
    engine.comeBack();
    browser.await("back", () -> !browser.text("#source").contains("cut off"));
  }
}
