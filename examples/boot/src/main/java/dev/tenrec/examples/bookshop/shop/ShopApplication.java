// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration;

/** The application. Tenrec comes by auto-configuration, from its place on the class path. */
@SpringBootApplication(exclude = UserDetailsServiceAutoConfiguration.class) // it makes up a user
public class ShopApplication {}
