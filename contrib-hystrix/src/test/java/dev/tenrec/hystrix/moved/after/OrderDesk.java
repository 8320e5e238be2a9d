// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.moved.after;

import dev.tenrec.hystrix.HystrixCollapser;
import dev.tenrec.hystrix.HystrixCollapserKey;
import dev.tenrec.hystrix.HystrixCollapserProperties;
import dev.tenrec.hystrix.HystrixCommand;
import dev.tenrec.hystrix.HystrixCommandGroupKey;
import dev.tenrec.hystrix.HystrixCommandKey;
import dev.tenrec.hystrix.HystrixCommandProperties;
import dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import dev.tenrec.hystrix.HystrixObservableCommand;
import dev.tenrec.hystrix.HystrixRequestCache;
import dev.tenrec.hystrix.HystrixRequestLog;
import dev.tenrec.hystrix.HystrixThreadPoolProperties;
import dev.tenrec.hystrix.exception.HystrixBadRequestException;
import dev.tenrec.hystrix.exception.HystrixRuntimeException;
import dev.tenrec.hystrix.strategy.concurrency.HystrixConcurrencyStrategyDefault;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import io.reactivex.rxjava3.core.Observable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** A desk that takes orders, over services of others. Each page is one request. */
public final class OrderDesk {

  private static final HystrixCommandGroupKey SERVICES =
      HystrixCommandGroupKey.Factory.asKey("Services");

  private final Services services;

  /** Over these services. */
  public OrderDesk(Services services) {
    this.services = services;
  }

  /** What is far away, and may fail. */
  public interface Services {
    /** The name of a customer. */
    String customer(long id) throws Exception;

    /** The prices of articles, in their order. */
    List<Integer> prices(List<String> articles);

    /** Takes an order. */
    String order(String article, int pieces);

    /** Where an article is. */
    List<String> shelves(String article);
  }

  /** A customer, once in a request; a guest if the service is down. */
  final class GetCustomer extends HystrixCommand<String> {
    private final long id;

    GetCustomer(long id) {
      super(
          Setter.withGroupKey(SERVICES)
              .andCommandKey(HystrixCommandKey.Factory.asKey("GetCustomer"))
              .andCommandPropertiesDefaults(
                  HystrixCommandProperties.Setter().withExecutionTimeoutInMilliseconds(30_000))
              .andThreadPoolPropertiesDefaults(
                  HystrixThreadPoolProperties.Setter().withCoreSize(4)));
      this.id = id;
    }

    @Override
    protected String run() throws Exception {
      return services.customer(id);
    }

    @Override
    protected String getFallback() {
      return isFailedExecution() ? "guest" : "guest in a hurry";
    }

    @Override
    protected String getCacheKey() {
      return Long.toString(id);
    }
  }

  /** Prices, asked for together. */
  final class GetPrice extends HystrixCollapser<List<Integer>, Integer, String> {
    private final String article;

    GetPrice(String article) {
      super(
          Setter.withCollapserKey(HystrixCollapserKey.Factory.asKey("GetPrice"))
              .andCollapserPropertiesDefaults(
                  HystrixCollapserProperties.Setter().withTimerDelayInMilliseconds(300)));
      this.article = article;
    }

    @Override
    public String getRequestArgument() {
      return article;
    }

    @Override
    protected HystrixCommand<List<Integer>> createCommand(
        Collection<CollapsedRequest<Integer, String>> requests) {
      List<String> articles = new ArrayList<>();
      requests.forEach(request -> articles.add(request.getArgument()));
      return new HystrixCommand<List<Integer>>(
          HystrixCommand.Setter.withGroupKey(SERVICES)
              .andCommandKey(HystrixCommandKey.Factory.asKey("GetPrices"))) {
        @Override
        protected List<Integer> run() {
          return services.prices(articles);
        }
      };
    }

    @Override
    protected void mapResponseToRequests(
        List<Integer> prices, Collection<CollapsedRequest<Integer, String>> requests) {
      int next = 0;
      for (CollapsedRequest<Integer, String> request : requests) {
        request.setResponse(prices.get(next++));
      }
    }
  }

  /** An order; a wrong one is the caller's fault. */
  final class PlaceOrder extends HystrixCommand<String> {
    private final String article;
    private final int pieces;

    PlaceOrder(String article, int pieces) {
      super(
          Setter.withGroupKey(SERVICES)
              .andCommandKey(HystrixCommandKey.Factory.asKey("PlaceOrder"))
              .andCommandPropertiesDefaults(
                  HystrixCommandProperties.Setter()
                      .withExecutionIsolationStrategy(ExecutionIsolationStrategy.SEMAPHORE)));
      this.article = article;
      this.pieces = pieces;
    }

    @Override
    protected String run() {
      if (pieces < 1) {
        throw new HystrixBadRequestException(pieces + " pieces");
      }
      return services.order(article, pieces);
    }
  }

  /** Shelves, one after the other. */
  final class FindShelves extends HystrixObservableCommand<String> {
    private final String article;

    FindShelves(String article) {
      super(SERVICES);
      this.article = article;
    }

    @Override
    protected Observable<String> construct() {
      return Observable.defer(() -> Observable.fromIterable(services.shelves(article)));
    }

    @Override
    protected Observable<String> resumeWithFallback() {
      return Observable.just("ask at the desk");
    }
  }

  /** All of a page, in lines; the last is the log of its request. */
  public List<String> page(long customer, String article, int pieces) {
    List<String> lines = new ArrayList<>();
    HystrixRequestContext request = HystrixRequestContext.initializeContext();
    try {
      Future<Integer> price = new GetPrice(article).queue();
      Future<Integer> shipping = new GetPrice("shipping").queue();
      lines.add("price " + answer(price) + " and " + answer(shipping));
      lines.add("for " + new GetCustomer(customer).execute());
      GetCustomer again = new GetCustomer(customer);
      lines.add("for " + again.execute() + " again, cached: " + again.isResponseFromCache());
      new FindShelves(article).toObservable().blockingForEach(shelf -> lines.add("at " + shelf));
      try {
        lines.add(new PlaceOrder(article, pieces).execute());
      } catch (HystrixBadRequestException wrong) {
        lines.add("wrong: " + wrong.getMessage());
      } catch (HystrixRuntimeException failed) {
        lines.add(failed.getFailureType() + " " + failed.getMessage() + " " + failed.getCause());
      }
      HystrixRequestCache.getInstance(
              HystrixCommandKey.Factory.asKey("GetCustomer"),
              HystrixConcurrencyStrategyDefault.getInstance())
          .clear(Long.toString(customer));
      lines.add("for " + new GetCustomer(customer).execute() + " anew");
      lines.add(
          HystrixRequestLog.getCurrentRequest()
              .getExecutedCommandsAsString()
              .replaceAll("\\[\\d+ms]", ""));
      return lines;
    } finally {
      request.shutdown();
    }
  }

  private static String answer(Future<Integer> price) {
    try {
      return price.get().toString();
    } catch (ExecutionException failed) {
      return "unknown (" + failed.getCause().getMessage() + ")";
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return "unknown";
    }
  }
}
