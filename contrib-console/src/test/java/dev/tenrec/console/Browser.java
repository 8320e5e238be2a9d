// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.PatientWaits;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A headless Chromium of this machine. Nothing is downloaded. */
public final class Browser implements AutoCloseable {

  private static final Duration PATIENCE = PatientWaits.patience();

  /** Warns of each version of Chromium that is newer than itself; kept, or its level would go. */
  private static final Logger PROTOCOL = Logger.getLogger("org.openqa.selenium.devtools");

  /** For what is not below. */
  public final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Skips the test where there is none. */
  public static Browser open() {
    Optional<File> browser = installed("chromium", "chromium-browser", "google-chrome");
    Optional<File> driver = installed("chromedriver");
    Assumptions.assumeTrue(
        browser.isPresent() && driver.isPresent(),
        "SKIPPED: chromium or chromedriver is not installed, the page was seen by no browser");
    PROTOCOL.setLevel(Level.SEVERE);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(browser.get());
    options.addArguments(
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--lang=en");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
    return new Browser(
        new ChromeDriver(
            new ChromeDriverService.Builder().usingDriverExecutable(driver.get()).build(),
            options));
  }

  private static Optional<File> installed(String... names) {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    return Stream.of(names)
        .flatMap(name -> Stream.of(path.split(File.pathSeparator)).map(at -> Path.of(at, name)))
        .filter(Files::isExecutable)
        .map(Path::toFile)
        .findFirst();
  }

  public void size(int width, int height) {
    driver.manage().window().setSize(new Dimension(width, height));
  }

  /** In the narrowest window that a Chromium has. */
  void fitsANarrowScreen() {
    size(500, 800);
    await("narrow window", () -> script("return innerWidth <= 500").equals(true));
    assertThat(script("return document.documentElement.scrollWidth <= innerWidth"))
        .as("fits a narrow screen")
        .isEqualTo(true);
  }

  void dark(boolean dark) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
  }

  public List<WebElement> all(String selector) {
    return driver.findElements(By.cssSelector(selector));
  }

  public WebElement one(String selector) {
    return driver.findElement(By.cssSelector(selector));
  }

  /** The visible text of all that is selected, read at once: rows move while one asks. */
  public String text(String selector) {
    return String.valueOf(
        script(
            "return [...document.querySelectorAll(arguments[0])].filter(each => each.offsetParent"
                + " !== null).map(each => each.innerText).join('\\n"
                + "')",
            selector));
  }

  public Object script(String code, Object... arguments) {
    return ((JavascriptExecutor) driver).executeScript(code, arguments);
  }

  public void await(String what, BooleanSupplier holds) {
    org.awaitility.Awaitility.await(what)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .ignoreExceptions()
        .until(() -> holds.getAsBoolean());
  }

  public void awaitText(String selector, String text) {
    await(text + " in " + selector, () -> text(selector).contains(text));
  }

  /** Errors of scripts, and what the Content-Security-Policy has kept away. */
  public void hasNothingToComplainOf() {
    assertThat(driver.manage().logs().get(LogType.BROWSER).getAll())
        .filteredOn(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .isEmpty();
  }

  /** Before {@link #mainThreadSeconds}. */
  void countMainThread() {
    driver.executeCdpCommand("Performance.enable", Map.of("timeDomain", "threadTicks"));
  }

  /** How much processor the page's own thread has had so far. */
  double mainThreadSeconds() {
    Object metrics = driver.executeCdpCommand("Performance.getMetrics", Map.of()).get("metrics");
    for (Object metric : (List<?>) metrics) {
      Map<?, ?> each = (Map<?, ?>) metric;
      if ("TaskDuration".equals(each.get("name"))) {
        return ((Number) each.get("value")).doubleValue();
      }
    }
    throw new AssertionError("no TaskDuration in " + metrics);
  }

  /** Shows nothing, and forgets what was complained of. */
  public void clear() {
    driver.get("about:blank");
    var unused = driver.manage().logs().get(LogType.BROWSER).getAll();
  }

  /** For the docs, where {@code -Dtenrec.screenshots} says where to. */
  public void screenshot(String name) throws Exception {
    String directory = System.getProperty("tenrec.screenshots");
    if (directory != null) {
      Files.write(
          Path.of(directory).resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    }
  }

  @Override
  public void close() {
    driver.quit();
  }
}
