// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.annotations.CacheRemove;
import dev.tenrec.annotations.CacheResult;
import dev.tenrec.annotations.Command;
import dev.tenrec.annotations.Contexts;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.metrics.event.EventType;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.validation.annotation.Validated;
import org.springframework.validation.beanvalidation.LocalValidatorFactoryBean;
import org.springframework.validation.beanvalidation.MethodValidationPostProcessor;
import org.springframework.validation.method.MethodValidationException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

/** Invalid input and denied access, by the real advice of Spring and Spring Security. */
class RefusingAdviceTest {

  private static final Map<String, Object> COMMANDS_OUTSIDE = Map.of("tenrec.annotations.order", 0);

  private AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

  @AfterEach
  void close() {
    SecurityContextHolder.clearContext();
    context.close();
  }

  @Configuration(proxyBeanMethods = false)
  static class Validating {

    @Bean
    static LocalValidatorFactoryBean validator() {
      LocalValidatorFactoryBean validator = new LocalValidatorFactoryBean();
      validator.setMessageInterpolator(new ParameterMessageInterpolator());
      return validator;
    }

    @Bean
    static MethodValidationPostProcessor validation(LocalValidatorFactoryBean validator) {
      MethodValidationPostProcessor validation = new MethodValidationPostProcessor();
      validation.setValidator(validator);
      return validation;
    }

    @Bean
    Orders orders() {
      return new Orders();
    }

    @Bean
    Desk desk(Orders orders) {
      return new Desk(orders);
    }
  }

  @Validated
  static class Orders {

    @Command(fallbackMethod = "none")
    public String place(@NotBlank String sku) {
      return "placed " + sku;
    }

    @Command(isolation = IsolationStrategy.SEMAPHORE)
    public String here(@NotBlank String sku) {
      return "placed " + sku;
    }

    @Command(
        isolation = IsolationStrategy.SEMAPHORE,
        ignoreExceptions = ConstraintViolationException.class)
    public String ignoring(@NotBlank String sku) {
      return "placed " + sku;
    }

    @Command
    public CompletableFuture<String> later(@NotBlank String sku) {
      return CompletableFuture.completedFuture("placed " + sku);
    }

    @Command
    public Mono<String> reactive(@NotBlank String sku) {
      return Mono.just("placed " + sku);
    }

    @Command
    public Flux<String> streamed(@NotBlank String sku) {
      return Flux.just("placed " + sku);
    }

    @Command
    public @Size(max = 2) String answer(String sku) {
      return sku;
    }

    @Command
    public String remoteRefuses() {
      throw new ConstraintViolationException("of the remote's", Set.of());
    }

    String none(String sku) {
      return "none";
    }
  }

  /** Its own body calls another command with an invalid argument, on any thread. */
  static class Desk {

    private final Orders orders;

    Desk(Orders orders) {
      this.orders = orders;
    }

    @Command
    public String forget(IsolationStrategy where) {
      return where == IsolationStrategy.SEMAPHORE ? orders.here("") : orders.place("");
    }
  }

  /** As another, without advice behind its command. */
  static class Counter {

    private final Orders orders;

    Counter(Orders orders) {
      this.orders = orders;
    }

    @Command(isolation = IsolationStrategy.SEMAPHORE)
    public String forget() {
      return orders.ignoring("");
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Counting extends Validating {

    @Bean
    Counter counter(Orders orders) {
      return new Counter(orders);
    }
  }

  private long count(String key, EventType event) {
    return context.getBean(Tenrec.class).commands().stream()
        .filter(view -> view.key().equals(key))
        .findFirst()
        .map(view -> view.cumulativeCount(event))
        .orElse(0L);
  }

  /** Soon: a caller may have gone on without a thread that is held up before it counts. */
  private void awaitCounted(String key, EventType event, long times) {
    await().untilAsserted(() -> assertThat(count(key, event)).as(key).isEqualTo(times));
  }

  @ParameterizedTest
  @ValueSource(ints = {Ordered.HIGHEST_PRECEDENCE, 0, Ordered.LOWEST_PRECEDENCE})
  void validation_isInside_whateverTheOrder(int order) {
    context = Contexts.of(Map.of("tenrec.annotations.order", order), Validating.class);
    Orders orders = context.getBean(Orders.class);

    assertThatThrownBy(() -> orders.place(" ")).isInstanceOf(ConstraintViolationException.class);
    awaitCounted("Orders.place", EventType.BAD_REQUEST, 1);
  }

  @Test
  void invalidInput_isTheCallersFault_andOpensNoCircuit() {
    context = Contexts.of(Map.of(), Validating.class);
    context
        .getBean(Tenrec.class)
        .set("tenrec.command.default.circuitBreaker.requestVolumeThreshold", "2");
    Orders orders = context.getBean(Orders.class);

    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> orders.place(" ")).isInstanceOf(ConstraintViolationException.class);
      assertThatThrownBy(() -> orders.here(" ")).isInstanceOf(ConstraintViolationException.class);
      assertThatThrownBy(() -> orders.later(" ").join())
          .hasCauseInstanceOf(ConstraintViolationException.class);
      assertThatThrownBy(() -> orders.reactive(" ").block())
          .isInstanceOf(ConstraintViolationException.class);
      assertThatThrownBy(() -> orders.streamed(" ").blockLast())
          .isInstanceOf(ConstraintViolationException.class);
    }

    for (String method : new String[] {"place", "here", "later", "reactive", "streamed"}) {
      awaitCounted("Orders." + method, EventType.BAD_REQUEST, 5);
      assertThat(count("Orders." + method, EventType.FAILURE)).as(method).isZero();
    }
    assertThat(orders.place("a")).isEqualTo("placed a");
    assertThat(orders.here("a")).isEqualTo("placed a");
    assertThat(orders.later("a").join()).isEqualTo("placed a");
    assertThat(orders.reactive("a").block()).isEqualTo("placed a");
    assertThat(orders.streamed("a").blockLast()).isEqualTo("placed a");
  }

  @Test
  void invalidInput_asAMethodValidationException_isTheCallersFaultToo() {
    context = new AnnotationConfigApplicationContext();
    context.register(Contexts.plain(), Validating.class);
    context.addBeanFactoryPostProcessor(
        beans ->
            beans
                .getBeanDefinition("validation")
                .getPropertyValues()
                .add("adaptConstraintViolations", true));
    context.refresh();

    assertThatThrownBy(() -> context.getBean(Orders.class).here(""))
        .isInstanceOf(MethodValidationException.class);
    assertThat(count("Orders.here", EventType.BAD_REQUEST)).isEqualTo(1);
  }

  @Test
  void invalidInput_switchedOff_isAFailure() {
    context =
        Contexts.of(
            Map.of("tenrec.annotations.refusals-are-callers-fault", false), Validating.class);

    assertThat(context.getBean(Orders.class).place("")).isEqualTo("none");
    awaitCounted("Orders.place", EventType.FAILURE, 1);
    assertThat(count("Orders.place", EventType.BAD_REQUEST)).isZero();
  }

  @Test
  void invalidAnswer_andARemotesRefusal_areFailures() {
    context = Contexts.of(Map.of(), Validating.class);
    Orders orders = context.getBean(Orders.class);

    assertThatThrownBy(() -> orders.answer("long"))
        .isInstanceOf(ConstraintViolationException.class);
    assertThatThrownBy(orders::remoteRefuses).isInstanceOf(ConstraintViolationException.class);
    awaitCounted("Orders.answer", EventType.FAILURE, 1);
    awaitCounted("Orders.remoteRefuses", EventType.FAILURE, 1);
  }

  @ParameterizedTest
  @EnumSource(
      value = IsolationStrategy.class,
      names = {"THREAD", "SEMAPHORE"})
  void invalidInput_ofABodyThatCallsAnother_isThatBodysFailure(IsolationStrategy where) {
    context = Contexts.of(COMMANDS_OUTSIDE, Validating.class);

    assertThatThrownBy(() -> context.getBean(Desk.class).forget(where))
        .isInstanceOf(ConstraintViolationException.class);
    awaitCounted("Desk.forget", EventType.FAILURE, 1);
    assertThat(count("Desk.forget", EventType.BAD_REQUEST)).isZero();
  }

  @Test
  void invalidInput_thatTheInnerCommandIgnoresByItsType_isTheOuterBodysFailure() {
    context = Contexts.of(Map.of(), Counting.class);

    assertThatThrownBy(() -> context.getBean(Counter.class).forget())
        .isInstanceOf(ConstraintViolationException.class);
    assertThat(count("Orders.ignoring", EventType.BAD_REQUEST)).isEqualTo(1);
    assertThat(count("Counter.forget", EventType.FAILURE)).isEqualTo(1);
    assertThat(count("Counter.forget", EventType.BAD_REQUEST)).isZero();
  }

  @Validated
  static class Shelf {

    @Command
    @CacheResult
    public String bySku(String sku) {
      return sku;
    }

    @CacheRemove(commandKey = "bySku")
    public void changed(@NotBlank String sku) {}
  }

  /** Calls a method that only removes, with an invalid argument. */
  static class Clerk {

    private final Shelf shelf;

    Clerk(Shelf shelf) {
      this.shelf = shelf;
    }

    @Command(isolation = IsolationStrategy.SEMAPHORE)
    public String change() {
      shelf.changed(" ");
      return "changed";
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Removing extends Validating {

    @Bean
    Shelf shelf() {
      return new Shelf();
    }

    @Bean
    Clerk clerk(Shelf shelf) {
      return new Clerk(shelf);
    }
  }

  @Test
  void invalidInput_ofAMethodThatOnlyRemoves_isTheOuterBodysFailure() {
    context = Contexts.of(Map.of(), Removing.class);

    assertThatThrownBy(() -> context.getBean(Clerk.class).change())
        .isInstanceOf(ConstraintViolationException.class);
    assertThat(count("Clerk.change", EventType.FAILURE)).isEqualTo(1);
    assertThat(count("Clerk.change", EventType.BAD_REQUEST)).isZero();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableMethodSecurity
  static class Secured {

    @Bean
    Vault vault() {
      return new Vault();
    }
  }

  static class Vault {

    @Command(fallbackMethod = "closed")
    @PreAuthorize("hasRole('KEEPER')")
    public String open() {
      return "open";
    }

    @Command
    @PreAuthorize("hasRole('KEEPER')")
    public String remoteRefuses() {
      throw new AccessDeniedException("403 of the remote's");
    }

    String closed() {
      return "closed";
    }
  }

  private static void loginAs(String role) {
    SecurityContextHolder.getContext()
        .setAuthentication(new TestingAuthenticationToken("jo", "secret", role));
  }

  @Test
  void deniedAccess_byDefault_comesBeforeTheCommand_andIsNoCall() {
    context = Contexts.of(Map.of(), Secured.class);
    loginAs("ROLE_GUEST");

    assertThatThrownBy(() -> context.getBean(Vault.class).open())
        .isInstanceOf(AccessDeniedException.class);
    assertThat(count("Vault.open", EventType.BAD_REQUEST)).isZero();
    assertThat(count("Vault.open", EventType.FAILURE)).isZero();
  }

  @Test
  void deniedAccess_behindTheCommand_isTheCallersFault() {
    context = Contexts.of(COMMANDS_OUTSIDE, Secured.class);
    Vault vault = context.getBean(Vault.class);

    assertThatThrownBy(vault::open).isInstanceOf(AuthenticationCredentialsNotFoundException.class);
    loginAs("ROLE_GUEST");
    assertThatThrownBy(vault::open).isInstanceOf(AccessDeniedException.class);
    awaitCounted("Vault.open", EventType.BAD_REQUEST, 2);
    assertThat(count("Vault.open", EventType.FAILURE)).isZero();
  }

  @Test
  void deniedAccess_behindTheCommand_switchedOff_isAFailure() {
    context =
        Contexts.of(
            Map.of(
                "tenrec.annotations.order",
                0,
                "tenrec.annotations.refusals-are-callers-fault",
                false),
            Secured.class);
    loginAs("ROLE_GUEST");

    assertThat(context.getBean(Vault.class).open()).isEqualTo("closed");
    awaitCounted("Vault.open", EventType.FAILURE, 1);
    assertThat(count("Vault.open", EventType.BAD_REQUEST)).isZero();
  }

  /** Injected into itself, so its proxy is made before it is initialized. */
  static class SelfAwareVault {

    @Autowired SelfAwareVault self;

    @Command(fallbackMethod = "closed")
    @PreAuthorize("hasRole('KEEPER')")
    public String open() {
      return "open";
    }

    public String openOnSelf() {
      return self.open();
    }

    String closed() {
      return "closed";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableMethodSecurity
  static class SelfAware {

    @Bean
    SelfAwareVault vault() {
      return new SelfAwareVault();
    }
  }

  @Test
  void deniedAccess_ofABeanThatIsInjectedIntoItself_isTheCallersFault() {
    context = Contexts.of(COMMANDS_OUTSIDE, SelfAware.class);
    loginAs("ROLE_GUEST");
    SelfAwareVault vault = context.getBean(SelfAwareVault.class);

    assertThatThrownBy(vault::open).isInstanceOf(AccessDeniedException.class);
    assertThatThrownBy(vault::openOnSelf).isInstanceOf(AccessDeniedException.class);
    awaitCounted("SelfAwareVault.open", EventType.BAD_REQUEST, 2);
    assertThat(count("SelfAwareVault.open", EventType.FAILURE)).isZero();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableReactiveMethodSecurity
  static class ReactivelySecured {

    @Bean
    ReactiveVault vault() {
      return new ReactiveVault();
    }

    @Bean
    Guard guard(ReactiveVault vault) {
      return new Guard(vault);
    }
  }

  static class ReactiveVault {

    @Command
    @CacheResult
    public Mono<String> bySku(String sku) {
      return Mono.just(sku);
    }

    @CacheRemove(commandKey = "bySku")
    @PreAuthorize("hasRole('KEEPER')")
    public Mono<String> changed(String sku) {
      return Mono.just(sku);
    }

    @Command(fallbackMethod = "closed")
    @PreAuthorize("hasRole('KEEPER')")
    public Mono<String> open() {
      return Mono.just("open");
    }

    @Command(fallbackMethod = "noDoors")
    @PreAuthorize("hasRole('KEEPER')")
    public Flux<String> doors() {
      return Flux.just("front", "back");
    }

    @Command
    @PreAuthorize("hasRole('KEEPER')")
    public Mono<String> remoteRefuses() {
      return Mono.error(new AccessDeniedException("403 of the remote's"));
    }

    @Command
    @PreAuthorize("hasRole('KEEPER')")
    public Flux<String> remoteRefusesDoors() {
      return Flux.error(new AccessDeniedException("403 of the remote's"));
    }

    Mono<String> closed() {
      return Mono.just("closed");
    }

    Flux<String> noDoors() {
      return Flux.empty();
    }
  }

  /** Waits in its own body. */
  static class Guard {

    private final ReactiveVault vault;

    Guard(ReactiveVault vault) {
      this.vault = vault;
    }

    @Command(isolation = IsolationStrategy.SEMAPHORE)
    public String ask() {
      return vault.remoteRefuses().contextWrite(as("ROLE_KEEPER")).block();
    }

    @Command(isolation = IsolationStrategy.SEMAPHORE)
    public String open() {
      return vault.open().contextWrite(as("ROLE_GUEST")).block();
    }

    @Command(isolation = IsolationStrategy.SEMAPHORE)
    public String change() {
      return vault.changed("a").contextWrite(as("ROLE_GUEST")).block();
    }
  }

  private static Context as(String role) {
    return ReactiveSecurityContextHolder.withAuthentication(
        new TestingAuthenticationToken("jo", "secret", role));
  }

  @Test
  void deniedSubscription_byDefault_comesBeforeTheCommand_andIsNoCall() {
    context = Contexts.of(Map.of(), ReactivelySecured.class);

    assertThatThrownBy(
            () ->
                context.getBean(ReactiveVault.class).open().contextWrite(as("ROLE_GUEST")).block())
        .isInstanceOf(AccessDeniedException.class);
    assertThat(count("ReactiveVault.open", EventType.BAD_REQUEST)).isZero();
    assertThat(count("ReactiveVault.open", EventType.FAILURE)).isZero();
  }

  @Test
  void deniedSubscription_behindTheCommand_isTheCallersFault() {
    context = Contexts.of(COMMANDS_OUTSIDE, ReactivelySecured.class);
    ReactiveVault vault = context.getBean(ReactiveVault.class);
    Context guest = as("ROLE_GUEST");
    Context keeper = as("ROLE_KEEPER");

    assertThatThrownBy(() -> vault.open().contextWrite(guest).block())
        .isInstanceOf(AccessDeniedException.class);
    assertThatThrownBy(() -> vault.doors().contextWrite(guest).blockLast())
        .isInstanceOf(AccessDeniedException.class);
    assertThatThrownBy(context.getBean(Guard.class)::open)
        .isInstanceOf(AccessDeniedException.class);
    assertThat(count("ReactiveVault.open", EventType.BAD_REQUEST)).isEqualTo(2);
    assertThat(count("ReactiveVault.doors", EventType.BAD_REQUEST)).isEqualTo(1);
    assertThat(count("ReactiveVault.open", EventType.FAILURE)).isZero();
    assertThat(count("Guard.open", EventType.FAILURE)).as("of the body").isEqualTo(1);
    assertThat(vault.open().contextWrite(keeper).block()).isEqualTo("open");
    assertThat(vault.doors().contextWrite(keeper).blockLast()).isEqualTo("back");
  }

  @Test
  void deniedSubscription_ofAMethodThatOnlyRemoves_isTheOuterBodysFailure() {
    context = Contexts.of(COMMANDS_OUTSIDE, ReactivelySecured.class);

    assertThatThrownBy(context.getBean(Guard.class)::change)
        .isInstanceOf(AccessDeniedException.class);
    assertThat(count("Guard.change", EventType.FAILURE)).isEqualTo(1);
    assertThat(count("Guard.change", EventType.BAD_REQUEST)).isZero();
  }

  @Test
  void remote403_ofASubscription_isAFailure() {
    context = Contexts.of(COMMANDS_OUTSIDE, ReactivelySecured.class);
    ReactiveVault vault = context.getBean(ReactiveVault.class);
    Context keeper = as("ROLE_KEEPER");

    assertThatThrownBy(() -> vault.remoteRefuses().contextWrite(keeper).block())
        .isInstanceOf(AccessDeniedException.class);
    assertThatThrownBy(() -> vault.remoteRefusesDoors().contextWrite(keeper).blockLast())
        .isInstanceOf(AccessDeniedException.class);
    assertThatThrownBy(context.getBean(Guard.class)::ask).isInstanceOf(AccessDeniedException.class);
    assertThat(count("ReactiveVault.remoteRefuses", EventType.FAILURE)).isEqualTo(2);
    assertThat(count("ReactiveVault.remoteRefusesDoors", EventType.FAILURE)).isEqualTo(1);
    assertThat(count("ReactiveVault.remoteRefuses", EventType.BAD_REQUEST)).isZero();
    assertThat(count("Guard.ask", EventType.FAILURE)).isEqualTo(1);
  }

  /** One that is known later, as where it is read from a session. */
  private static Context as(Sinks.One<SecurityContext> later) {
    return ReactiveSecurityContextHolder.withSecurityContext(later.asMono());
  }

  private static void isKnown(Sinks.One<SecurityContext> later, String role) {
    later.emitValue(
        new SecurityContextImpl(new TestingAuthenticationToken("jo", "secret", role)),
        Sinks.EmitFailureHandler.FAIL_FAST);
  }

  @Test
  void subscriptionsOfOneMono_thatOverlap_areJudgedEachForItself() {
    context = Contexts.of(COMMANDS_OUTSIDE, ReactivelySecured.class);
    Mono<String> asked = context.getBean(ReactiveVault.class).remoteRefuses();
    Sinks.One<SecurityContext> keeper = Sinks.one();
    Sinks.One<SecurityContext> guest = Sinks.one();
    CompletableFuture<String> first = asked.contextWrite(as(keeper)).toFuture();
    CompletableFuture<String> second = asked.contextWrite(as(guest)).toFuture();

    isKnown(keeper, "ROLE_KEEPER");

    assertThatThrownBy(first::join).hasStackTraceContaining("403 of the remote's");
    assertThat(count("ReactiveVault.remoteRefuses", EventType.FAILURE)).isEqualTo(1);
    assertThat(count("ReactiveVault.remoteRefuses", EventType.BAD_REQUEST)).isZero();
    isKnown(guest, "ROLE_GUEST");
    assertThatThrownBy(second::join).hasCauseInstanceOf(AccessDeniedException.class);
    assertThat(count("ReactiveVault.remoteRefuses", EventType.FAILURE)).isEqualTo(1);
    assertThat(count("ReactiveVault.remoteRefuses", EventType.BAD_REQUEST)).isEqualTo(1);
  }

  @Test
  void grantedAccess_behindTheCommand_isCheckedOnThePoolsThread_asTheCaller() {
    context = Contexts.of(COMMANDS_OUTSIDE, Secured.class);
    loginAs("ROLE_KEEPER");

    assertThat(context.getBean(Vault.class).open()).isEqualTo("open");
  }

  @Test
  void remote403_fromTheBody_isAFailure() {
    context = Contexts.of(COMMANDS_OUTSIDE, Secured.class);
    loginAs("ROLE_KEEPER");
    Vault vault = context.getBean(Vault.class);

    assertThatThrownBy(vault::remoteRefuses).isInstanceOf(AccessDeniedException.class);
    awaitCounted("Vault.remoteRefuses", EventType.FAILURE, 1);
    assertThat(count("Vault.remoteRefuses", EventType.BAD_REQUEST)).isZero();
  }
}
