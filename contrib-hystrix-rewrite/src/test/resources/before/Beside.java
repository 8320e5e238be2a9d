// SPDX-License-Identifier: Apache-2.0
package shop;

import com.netflix.hystrix.shop.Within;

/** Uses a class of the application's that is in a package below Hystrix's. */
public class Beside {

  public static Object calls() {
    return new Within().execute();
  }
}
