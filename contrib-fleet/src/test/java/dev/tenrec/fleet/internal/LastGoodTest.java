// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.fleet.internal.Held.Kept;
import dev.tenrec.fleet.internal.LastGood.Content;
import dev.tenrec.fleet.model.Canary;
import dev.tenrec.fleet.model.CanaryGuard;
import dev.tenrec.fleet.model.FleetDocument;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.Manifest;
import dev.tenrec.fleet.model.Setting;
import dev.tenrec.fleet.store.StoreException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written is read again, whole, by a reader that knows each field. */
class LastGoodTest {

  private static final Setting SETTING = new Setting("a \"b\" \u20ac \n${c}", 1L, 2L, 3L, "alice");
  private static final CanaryGuard GUARD = new CanaryGuard("GetQuote", 1, 2, 3, 4L);
  private static final Canary CANARY = new Canary(5, Set.of("i-1", "i-2"), 6, 7L, 8, GUARD);
  private static final FleetDocument DOCUMENT =
      new FleetDocument(9, Map.of("key.\"one\"", SETTING), CANARY, "bob", 10);
  private static final Manifest MANIFEST =
      new Manifest(11, "lineage", Map.of("fleet", 12L), "frozen", "carol", "because");
  private static final Content FULL =
      new Content(
          "shop-7",
          new Held(
              MANIFEST,
              Map.of(
                  FleetLayer.CANARY,
                  new Kept(DOCUMENT, 13),
                  FleetLayer.zone("a"),
                  new Kept(new FleetDocument(14, Map.of("k", Setting.of("v")), null), 15))),
          16,
          17,
          18);

  @TempDir Path directory;

  private Content again(Content content) throws Exception {
    LastGood file = new LastGood(directory.resolve("last-good"));
    file.write(content);
    return file.read();
  }

  @Test
  void content_withAllThereCanBe_isReadAgain() throws Exception {
    for (Record each : new Record[] {SETTING, GUARD, CANARY, DOCUMENT, MANIFEST, FULL}) {
      for (RecordComponent component : each.getClass().getRecordComponents()) {
        Object value = component.getAccessor().invoke(each);
        assertThat(isSomething(value)).as("%s has %s", each, component).isTrue();
      }
    }
    assertThat(again(FULL)).isEqualTo(FULL);
  }

  /** A component that the reader forgot would be like this. */
  private static boolean isSomething(Object value) {
    return value instanceof Number number
        ? number.longValue() != 0
        : value != null
            && !value.equals("")
            && !(value instanceof Collection<?> all && all.isEmpty())
            && !(value instanceof Map<?, ?> map && map.isEmpty());
  }

  @Test
  void content_withNothing_isReadAgain() throws Exception {
    Content least = new Content("shop-7", Held.NOTHING, 0, 0, 0);
    assertThat(again(least)).isEqualTo(least);
    Content plain =
        new Content(
            "shop-7",
            new Held(Manifest.EMPTY, Map.of(FleetLayer.FLEET, new Kept(FleetDocument.EMPTY, 0))),
            0,
            0,
            0);
    assertThat(again(plain)).isEqualTo(plain);
  }

  private Content read(String body) throws Exception {
    Path file = directory.resolve("by-hand");
    Files.writeString(file, "tenrec-last-good 1 sha256 " + Digest.of(body) + "\n" + body);
    return new LastGood(file).read();
  }

  @Test
  void file_ofANewerVersion_isReadWithoutWhatIsNotKnown() throws Exception {
    Content content =
        read(
            "{\"instance\":\"shop-7\",\"new\":[12345678901234567890,{\"a\":[2.5,true,null]}],"
                + "\"documents\":{\"fleet\":{\"document\":{\"version\":1,\"more\":false}}}}");
    assertThat(content.instance()).isEqualTo("shop-7");
    assertThat(content.held().of(FleetLayer.FLEET).document().version()).isEqualTo(1);
  }

  @Test
  void file_thatIsOtherwise_isRefused_andItsTextNotShown() {
    for (String body :
        new String[] {
          "",
          "[]",
          "secret",
          "{\"instance\":\"secret\"",
          "{\"instance\":7}",
          "{\"documents\":{\"fleet\":7}}",
          "{\"documents\":{\"fleet\":{\"writtenMillis\":\"secret\"}}}",
          "{\"documents\":{\"fleet\":{\"writtenMillis\":12345678901234567890}}}",
          "{\"documents\":{\"fleet\":{\"document\":{\"settings\":{\"a\":{\"author\":\"secret\"}}}}}}",
          "{\"documents\":{\"canary\":{\"document\":{\"canary\":{\"sharePercent\":4294967297}}}}}",
          "{} {}"
        }) {
      assertThatThrownBy(() -> read(body))
          .as(body)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("the last-good file")
          .hasMessageNotContaining("secret");
    }
  }
}
