// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.fleet.model.Canary;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.Setting;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.MemoryStore;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a person wrote into the store by hand. */
class FleetReaderTest {

  private static final String DOCUMENT = "{\"version\":1,\"settings\":{\"k\":{\"value\":\"v\"}}}";

  private final MemoryStore engine = new MemoryStore();
  private final FleetStore store = engine.connect("reader");

  @Test
  void readAll_ofALayerThatCannotBe_isAMisfitThatNamesIt() {
    engine.tamper("head", "{\"version\":1,\"lineage\":\"a\",\"layers\":{\"planet/earth\":1}}");
    assertThatThrownBy(() -> FleetReader.readAll(store, Held.NOTHING))
        .isInstanceOf(MisfitException.class)
        .hasMessageContaining("the manifest names a layer that cannot be: 'planet/earth'");
    engine.tamper("head", "{\"version\":1,\"lineage\":\"a\",\"layers\":{\"zone/..\":1}}");
    assertThatThrownBy(() -> FleetReader.readAll(store, Held.NOTHING))
        .isInstanceOf(MisfitException.class)
        .hasMessageContaining("'..' cannot name a zone");
  }

  @Test
  void readAll_ofAManifestWithoutLineage_readsItsDocuments() {
    engine.tamper("config/fleet", DOCUMENT);
    engine.tamper("head", "{\"version\":1,\"layers\":{\"fleet\":1}}");
    Held once = FleetReader.readAll(store, Held.NOTHING);
    Held twice = FleetReader.readAll(store, once);
    assertThat(twice.of(FleetLayer.FLEET).document().settings())
        .containsEntry("k", Setting.of("v"));
    assertThat(twice.of(FleetLayer.FLEET)).isSameAs(once.of(FleetLayer.FLEET));
  }

  @Test
  void end_beyondWhatCanBeCounted_isNever() {
    assertThat(new Setting("v", null, Long.MAX_VALUE).endMillis(1)).isEqualTo(Long.MAX_VALUE);
    assertThat(new Setting("v", 5L, 7L).endMillis(1)).isEqualTo(12);
    assertThat(new Canary(1, Set.of("a"), 0, 5L, Long.MAX_VALUE, null).endMillis(1))
        .isEqualTo(Long.MAX_VALUE);
    assertThat(new Canary(1, Set.of("a"), 0, null, 7, null).endMillis(1)).isEqualTo(8);
  }
}
