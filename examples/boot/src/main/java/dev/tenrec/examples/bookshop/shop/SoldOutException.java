// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop.shop;

/** There are fewer copies than were ordered: nothing is wrong with the publisher. */
public class SoldOutException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  SoldOutException(int book, int left) {
    super("of book " + book + " there are " + left + " left");
  }
}
