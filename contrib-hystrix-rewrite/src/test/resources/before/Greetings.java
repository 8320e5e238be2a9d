// SPDX-License-Identifier: Apache-2.0
package shop;

import com.netflix.hystrix.HystrixCommand;
import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixCommandKey;
import com.netflix.hystrix.HystrixThreadPoolKey;
import com.netflix.hystrix.exception.HystrixBadRequestException;
import com.netflix.hystrix.exception.HystrixRuntimeException;
import java.util.concurrent.Future;

/** Hello, failing fast, failing silently, and a fallback over the network. */
public class Greetings {

  static class Hello extends HystrixCommand<String> {
    private final String name;

    Hello(String name) {
      super(HystrixCommandGroupKey.Factory.asKey("Greetings"));
      this.name = name;
    }

    @Override
    protected String run() {
      return "Hello " + name;
    }
  }

  static class FailsFast extends HystrixCommand<String> {
    private final boolean wrongCaller;

    FailsFast(boolean wrongCaller) {
      super(HystrixCommandGroupKey.Factory.asKey("Greetings"));
      this.wrongCaller = wrongCaller;
    }

    @Override
    protected String run() {
      if (wrongCaller) {
        throw new HystrixBadRequestException("wrong");
      }
      throw new IllegalStateException("down");
    }
  }

  static class FailsSilently extends HystrixCommand<String> {
    FailsSilently() {
      super(HystrixCommandGroupKey.Factory.asKey("Greetings"));
    }

    @Override
    protected String run() {
      throw new IllegalStateException("down");
    }

    @Override
    protected String getFallback() {
      return "";
    }
  }

  static class OverTheNetwork extends HystrixCommand<String> {
    private final int id;

    OverTheNetwork(int id) {
      super(
          Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("Remote"))
              .andCommandKey(HystrixCommandKey.Factory.asKey("GetValue")));
      this.id = id;
    }

    @Override
    protected String run() {
      throw new IllegalStateException("down");
    }

    @Override
    protected String getFallback() {
      return new OfTheCache(id).execute();
    }

    private static class OfTheCache extends HystrixCommand<String> {
      private final int id;

      OfTheCache(int id) {
        super(
            Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey("Remote"))
                .andCommandKey(HystrixCommandKey.Factory.asKey("GetValueOfTheCache"))
                .andThreadPoolKey(HystrixThreadPoolKey.Factory.asKey("RemoteFallback")));
        this.id = id;
      }

      @Override
      protected String run() {
        return "cached " + id;
      }
    }
  }

  public static String calls() throws Exception {
    StringBuilder said = new StringBuilder(new Hello("World").execute());
    Future<String> later = new Hello("Bob").queue();
    said.append(", ").append(later.get());
    FailsSilently silent = new FailsSilently();
    said.append(", '").append(silent.execute()).append("' ").append(silent.isResponseFromFallback());
    said.append(", ").append(new OverTheNetwork(1).execute());
    try {
      new FailsFast(false).execute();
    } catch (HystrixRuntimeException failed) {
      said.append(", ").append(failed.getFailureType()).append(" ").append(failed.getCause());
    }
    try {
      new FailsFast(true).execute();
    } catch (HystrixBadRequestException wrong) {
      said.append(", ").append(wrong.getMessage());
    }
    return said.toString();
  }
}
