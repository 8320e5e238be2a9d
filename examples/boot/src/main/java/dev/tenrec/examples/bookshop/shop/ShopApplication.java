// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application. Tenrec comes by auto-configuration, from its place on the class path. */
@SpringBootApplication
public class ShopApplication {}
