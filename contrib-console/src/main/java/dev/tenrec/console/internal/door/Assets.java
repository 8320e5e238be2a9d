// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.door;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/** The files of the page, by their names. There is no way to any other. */
final class Assets {

  private static final String PAGE = "/dev/tenrec/console/page/";

  /** A file. */
  static final class Asset {

    private final byte[] content;
    private final String type;

    private Asset(byte[] content, String type) {
      this.content = content;
      this.type = type;
    }

    /** Not to be changed. */
    byte[] content() {
      return content;
    }

    String type() {
      return type;
    }
  }

  private static final String JAVASCRIPT = "text/javascript;charset=UTF-8";
  private static final String CSS = "text/css;charset=UTF-8";

  private final Map<String, Asset> byName = new HashMap<>();

  Assets() {
    put("", PAGE + "index.html", "text/html;charset=UTF-8");
    put("console.css", PAGE + "console.css", CSS);
    for (String script :
        new String[] {
          "main.js", "model.js", "table.js", "charts.js", "story.js", "fleet.js", "words.js"
        }) {
      put(script, PAGE + script, JAVASCRIPT);
    }
    put("icon.svg", PAGE + "icon.svg", "image/svg+xml");
  }

  private void put(String name, String resource, String type) {
    try (InputStream in = Assets.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the class path has no " + resource);
      }
      byName.put(name, new Asset(in.readAllBytes(), type));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Map<String, Asset> byName() {
    return byName;
  }
}
