// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.proxies;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;

import dev.tenrec.annotations.CacheKey;
import dev.tenrec.annotations.CacheResult;
import dev.tenrec.annotations.Collapsed;
import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.Contexts;
import dev.tenrec.annotations.boot.TenrecAutoConfiguration;
import dev.tenrec.annotations.spring.EnableCommands;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.FileSystemGeneratedFiles;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.aot.BeanRegistrationExcludeFilter;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.javapoet.ClassName;

/** Ahead of time: the hints for a native image are all there, and the generated context works. */
class AheadOfTimeTest {

  record Sku(String id, String site) {}

  static class Recovering {

    String fromAbove(Sku sku, Throwable cause) {
      return "recovered " + sku.id();
    }
  }

  public interface Stock {
    int left(Sku sku);
  }

  static class Shelf implements Stock {

    @Override
    @Command
    public int left(Sku sku) {
      return 7;
    }
  }

  static class Quotes extends Recovering {

    private int asked;

    @Command(fallbackMethod = "fromAbove", commandKey = "Quote-#{#p0.site}")
    public String failing(Sku sku) {
      throw new IllegalStateException();
    }

    @Command
    @CacheResult
    public int counted(@CacheKey("id") Sku sku) {
      return ++asked;
    }

    @Collapsed(batchMethod = "all", scope = Collapsed.Scope.GLOBAL)
    public int one(Integer id) {
      throw new AssertionError("never runs");
    }

    @Command
    List<Integer> all(List<Integer> ids) {
      return ids.stream().map(id -> id * 2).toList();
    }
  }

  public interface Client {
    @Command
    String ask(Sku sku);
  }

  static class ClientFactory implements FactoryBean<Client> {

    @Override
    public Client getObject() {
      return sku -> "asked";
    }

    @Override
    public Class<?> getObjectType() {
      return Client.class;
    }
  }

  @EnableCommands
  @Configuration(proxyBeanMethods = false)
  static class Made {

    @Bean(destroyMethod = "close")
    Tenrec tenrec() {
      return Contexts.patient();
    }

    @Bean
    ClientFactory client() {
      return new ClientFactory();
    }
  }

  @EnableCommands
  @Configuration(proxyBeanMethods = false)
  static class Plain {

    @Bean(destroyMethod = "close")
    Tenrec tenrec() {
      return Contexts.patient();
    }

    @Bean
    Quotes quotes() {
      return new Quotes();
    }

    @Bean
    Shelf shelf() {
      return new Shelf();
    }
  }

  @ImportAutoConfiguration({AopAutoConfiguration.class, TenrecAutoConfiguration.class})
  @Configuration(proxyBeanMethods = false)
  static class Auto {

    @Bean
    Quotes quotes() {
      return new Quotes();
    }

    @Bean
    Shelf shelf() {
      return new Shelf();
    }
  }

  @TempDir Path directory;

  /**
   * Writes what is generated below the directory, and returns the name of what sets a context up.
   */
  private String generate(Class<?> configuration, RuntimeHints[] hints) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context.register(configuration);
    DefaultGenerationContext generation =
        new DefaultGenerationContext(
            new ClassNameGenerator(ClassName.get(getClass().getPackageName(), "Generated")),
            new FileSystemGeneratedFiles(kind -> directory.resolve(kind.name())));
    ClassName initializer =
        new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
    generation.writeGeneratedContent();
    hints[0] = generation.getRuntimeHints();
    return initializer.reflectionName();
  }

  private static List<String> classPath() {
    String path = System.getProperty("surefire.test.class.path");
    return List.of(
        (path != null ? path : System.getProperty("java.class.path")).split(File.pathSeparator));
  }

  private void compile() throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-nowarn", "-proc:none", "-cp"));
    arguments.add(
        String.join(File.pathSeparator, classPath())
            + File.pathSeparator
            + directory.resolve("CLASS"));
    arguments.addAll(List.of("-d", Files.createDirectories(directory.resolve("CLASS")).toString()));
    try (Stream<Path> sources = Files.walk(directory.resolve("SOURCE"))) {
      sources.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(arguments::add);
    }
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(null, said, said, arguments.toArray(new String[0]));
    assertThat(result).as(said.toString(StandardCharsets.UTF_8)).isZero();
  }

  /** In a class loader of its own, where what was generated may see what is not public. */
  @ParameterizedTest
  @ValueSource(classes = {Plain.class, Auto.class})
  void generatedContext_hasItsCommands(Class<?> configuration) throws Exception {
    String initializer = generate(configuration, new RuntimeHints[1]);
    compile();
    List<URL> urls = new ArrayList<>(List.of(directory.resolve("CLASS").toUri().toURL()));
    for (String entry : classPath()) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    System.setProperty("spring.aot.enabled", "true");
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
      Thread.currentThread().setContextClassLoader(loader);
      Method run =
          loader.loadClass(AheadOfTimeTest.class.getName()).getDeclaredMethod("run", String.class);
      run.setAccessible(true);
      assertThat(run.invoke(null, initializer))
          .isEqualTo(
              "7, recovered a, 8, 1, 1, [Quote-north, Quotes.all, Quotes.counted, Shelf.left]");
    } finally {
      System.clearProperty("spring.aot.enabled");
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  /** Called in the class loader that has what was generated. */
  static String run(String initializer) throws ReflectiveOperationException {
    try (GenericApplicationContext context = new GenericApplicationContext()) {
      @SuppressWarnings("unchecked") // as generated
      ApplicationContextInitializer<GenericApplicationContext> generated =
          (ApplicationContextInitializer<GenericApplicationContext>)
              Class.forName(initializer).getDeclaredConstructor().newInstance();
      generated.initialize(context);
      TestPropertyValues.of(Contexts.PATIENT).applyTo(context); // it loads all classes anew
      context.refresh();
      return calls(context);
    }
  }

  private static String calls(GenericApplicationContext context) {
    Quotes quotes = context.getBean(Quotes.class);
    Tenrec tenrec = context.getBean(Tenrec.class);
    Sku sku = new Sku("a", "north");
    List<Object> seen = new ArrayList<>();
    seen.add(context.getBean(Stock.class).left(sku));
    seen.add(quotes.failing(sku));
    seen.add(quotes.one(4));
    try (RequestContext request = tenrec.openRequest()) {
      seen.add(quotes.counted(sku));
      seen.add(quotes.counted(new Sku("a", "south")));
    }
    seen.add(tenrec.commands().stream().map(view -> view.key()).sorted().toList());
    return seen.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  @Test
  void hintsOfABean_areAllMethodsThatAreCalledByReflection() {
    RuntimeHints[] generated = new RuntimeHints[1];
    String unused = generate(Plain.class, generated);
    RuntimeHints hints = generated[0];
    for (Class<?> type : List.of(Quotes.class, Recovering.class, Shelf.class, Stock.class)) {
      for (Method method : type.getDeclaredMethods()) {
        assertThat(reflection().onMethod(method).invoke()).as("%s", method).accepts(hints);
      }
    }
    assertThat(reflection().onMethod(Sku.class, "site").invoke()).accepts(hints);
    assertThat(reflection().onMethod(Sku.class, "id").invoke()).accepts(hints);
  }

  @Test
  void hintsOfABeanOfAFactory_areThoseOfWhatItMakes() throws Exception {
    RuntimeHints[] generated = new RuntimeHints[1];
    String unused = generate(Made.class, generated);

    Method ask = Client.class.getMethod("ask", Sku.class);
    assertThat(reflection().onMethod(ask).invoke()).accepts(generated[0]);
  }

  record Order(String zone) {}

  record Parcel(String zone) {}

  static class Shipping<T> {

    @Command(commandKey = "Ship-#{#order.zone}")
    public String ship(T order) {
      return "shipped";
    }
  }

  static class OrderShipping extends Shipping<Order> {}

  public interface Parcels<T> {
    @Command(commandKey = "Send-#{#parcel.zone}")
    String send(T parcel);
  }

  public interface HomeParcels extends Parcels<Parcel> {}

  public interface Tracked {
    String track(Sku sku);
  }

  public interface Tracking extends Tracked {}

  static class Tracker implements Tracking {

    @Override
    @Command
    public String track(Sku sku) {
      return "tracked";
    }
  }

  static class ParcelsFactory implements FactoryBean<HomeParcels> {

    @Override
    public HomeParcels getObject() {
      return parcel -> "sent";
    }

    @Override
    public Class<?> getObjectType() {
      return HomeParcels.class;
    }
  }

  @EnableCommands
  @Configuration(proxyBeanMethods = false)
  static class Inheriting {

    @Bean(destroyMethod = "close")
    Tenrec tenrec() {
      return Contexts.patient();
    }

    @Bean
    OrderShipping shipping() {
      return new OrderShipping();
    }

    @Bean
    Tracker tracker() {
      return new Tracker();
    }

    @Bean
    ParcelsFactory parcels() {
      return new ParcelsFactory();
    }
  }

  @Test
  void hintsOfABean_areThoseOfWhatATypeParameterStandsFor() throws Exception {
    RuntimeHints[] generated = new RuntimeHints[1];
    String unused = generate(Inheriting.class, generated);

    Method ship = Shipping.class.getDeclaredMethod("ship", Object.class);
    assertThat(reflection().onMethod(ship).invoke()).accepts(generated[0]);
    assertThat(reflection().onMethod(Order.class, "zone").invoke()).accepts(generated[0]);
  }

  @Test
  void hintsOfABean_areThoseOfTheInterfacesAboveItsOwn() throws Exception {
    RuntimeHints[] generated = new RuntimeHints[1];
    String unused = generate(Inheriting.class, generated);

    Method send = Parcels.class.getMethod("send", Object.class);
    assertThat(reflection().onMethod(send).invoke()).accepts(generated[0]);
    assertThat(reflection().onMethod(Parcel.class, "zone").invoke()).accepts(generated[0]);
    Method track = Tracked.class.getMethod("track", Sku.class);
    assertThat(reflection().onMethod(track).invoke()).accepts(generated[0]);
  }

  @Configuration(proxyBeanMethods = false)
  static class Excluding extends Made {

    @Bean
    static ClientsApart clientsApart() {
      return new ClientsApart();
    }
  }

  /** As OpenFeign's, which generates the definitions of its clients itself. */
  static class ClientsApart implements BeanRegistrationAotProcessor, BeanRegistrationExcludeFilter {

    @Override
    public BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
      return null;
    }

    @Override
    public boolean isExcludedFromAotProcessing(RegisteredBean bean) {
      return bean.getBeanName().equals("client");
    }
  }

  @Test
  void hintsOfABean_thatALibraryExcludes_areThere() throws Exception {
    RuntimeHints[] generated = new RuntimeHints[1];
    String unused = generate(Excluding.class, generated);

    Method ask = Client.class.getMethod("ask", Sku.class);
    assertThat(reflection().onMethod(ask).invoke()).accepts(generated[0]);
    assertThat(reflection().onMethod(Sku.class, "site").invoke()).accepts(generated[0]);
  }

  @Test
  void hintsOfTenrec_areItsAnnotationsAndVirtualThreads() {
    RuntimeHints hints = new RuntimeHints();
    SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
        .load(RuntimeHintsRegistrar.class)
        .stream()
        .filter(CommandHints.class::isInstance)
        .forEach(registrar -> registrar.registerHints(hints, getClass().getClassLoader()));

    for (Class<?> annotation : CommandHints.ANNOTATIONS) {
      assertThat(proxies().forInterfaces(annotation)).accepts(hints);
      Arrays.stream(annotation.getDeclaredMethods())
          .forEach(
              attribute ->
                  assertThat(reflection().onMethod(attribute).invoke())
                      .as("%s", attribute)
                      .accepts(hints));
    }
    assertThat(reflection().onType(Thread.class)).accepts(hints);
    assertThat(reflection().onType(CommandHints.VIRTUAL)).accepts(hints);
    assertThat(
            hints
                .reflection()
                .getTypeHint(CommandHints.VIRTUAL)
                .methods()
                .map(hint -> hint.getName() + " " + hint.getMode()))
        .containsExactlyInAnyOrder(
            "inheritInheritableThreadLocals " + ExecutableMode.INVOKE,
            "name " + ExecutableMode.INVOKE,
            "start " + ExecutableMode.INVOKE);
  }
}
