// SPDX-License-Identifier: Apache-2.0
package com.netflix.hystrix.shop;

import com.netflix.hystrix.HystrixCommand;
import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixThreadPool;

/** A class of the application's in a package below Hystrix's. */
public class Within extends HystrixCommand<Within.Answer> {

  HystrixThreadPool pool;

  public static class Answer {}

  public Within() {
    super(HystrixCommandGroupKey.Factory.asKey("Within"));
  }

  @Override
  protected Answer run() {
    return new Answer();
  }
}
