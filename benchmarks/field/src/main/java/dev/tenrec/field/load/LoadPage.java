// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import java.util.List;

/** A result as one file of HTML, which names no other file. */
record LoadPage(String text, List<String> plots) {

  String html() {
    StringBuilder html = new StringBuilder();
    html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    html.append("<title>").append(escaped(text.lines().findFirst().orElse("Load")));
    html.append("</title>\n</head>\n<body>\n<pre>").append(escaped(text)).append("</pre>\n");
    plots.forEach(plot -> html.append("<figure>\n").append(plot).append("</figure>\n"));
    return html.append("</body>\n</html>\n").toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
