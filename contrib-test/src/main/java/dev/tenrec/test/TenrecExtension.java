// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test of JUnit 5 a {@link TestTenrec} of its own, as parameters of test methods and of
 * {@code @BeforeEach} methods, which may be of the types {@link TestTenrec}, {@link Tenrec}, {@link
 * VirtualTime} and {@link Faults}. After the test it closes it; a test that passed fails then, if
 * it has left permits, threads or contexts: {@link Leaks} says which.
 *
 * <pre>{@code
 * @ExtendWith(TenrecExtension.class)
 * class QuotesTest {
 *   @Test
 *   void quote_ofAServiceThatIsDown_isUnknown(Tenrec tenrec, Faults faults) { ... }
 * }
 * }</pre>
 */
public final class TenrecExtension implements AfterEachCallback, ParameterResolver {

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(TenrecExtension.class);

  private final boolean virtualTime;
  private final Consumer<TenrecBuilder> customizer;

  /** For {@code @ExtendWith}: a Tenrec with all defaults. */
  public TenrecExtension() {
    this(builder -> {});
  }

  /**
   * For {@code @RegisterExtension}: a Tenrec as the application's.
   *
   * @param customizer changes the builder, for each test; the time and what runs before work are
   *     the kit's
   */
  public TenrecExtension(Consumer<TenrecBuilder> customizer) {
    this(true, customizer);
  }

  private TenrecExtension(boolean virtualTime, Consumer<TenrecBuilder> customizer) {
    this.virtualTime = virtualTime;
    this.customizer = Objects.requireNonNull(customizer, "customizer");
  }

  /**
   * For {@code @RegisterExtension}: a Tenrec whose time goes on by itself, for tests with a real
   * server or a real process. There is no {@link VirtualTime} to be a parameter.
   *
   * @param customizer changes the builder, for each test; what runs before work is the kit's
   */
  public static TenrecExtension inRealTime(Consumer<TenrecBuilder> customizer) {
    return new TenrecExtension(false, customizer);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return context.getTestMethod().isPresent()
        && (type == TestTenrec.class
            || type == Tenrec.class
            || (type == VirtualTime.class && virtualTime)
            || type == Faults.class);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    TestTenrec test =
        store(context).getOrComputeIfAbsent(TestTenrec.class, unused -> create(), TestTenrec.class);
    Class<?> type = parameter.getParameter().getType();
    if (type == Tenrec.class) {
      return test.tenrec();
    }
    if (type == VirtualTime.class) {
      return test.time();
    }
    return type == Faults.class ? test.faults() : test;
  }

  private TestTenrec create() {
    return virtualTime ? TestTenrec.create(customizer) : TestTenrec.inRealTime(customizer);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    // taken out: the store would close it once more
    @Nullable TestTenrec test = store(context).remove(TestTenrec.class, TestTenrec.class);
    if (test == null) {
      return;
    }
    if (context.getExecutionException().isPresent()) {
      test.abandon();
    } else {
      test.close();
    }
  }

  private static ExtensionContext.Store store(ExtensionContext context) {
    return context.getStore(NAMESPACE);
  }
}
