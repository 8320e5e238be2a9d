// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.fleet.internal.Held.Kept;
import dev.tenrec.fleet.model.FleetDocument;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.Manifest;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.StoreException;
import dev.tenrec.fleet.store.StoreUnavailableException;
import dev.tenrec.fleet.store.Stored;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads documents that belong to one version. A store may change between two of its reads, so each
 * document has to be the one that the manifest names; if it is not, all is read again. Only what
 * has changed is read.
 */
public final class FleetReader {

  /** Writes that come one on the other's heels may disturb so many readings in a row. */
  private static final int ATTEMPTS = 20;

  private FleetReader() {}

  /** The manifest there is now, and its store's revision of it. */
  public record Head(Manifest manifest, @Nullable Stored stored) {}

  /** Reads the manifest only. */
  public static Head head(FleetStore store) {
    Stored stored = store.read(Names.HEAD);
    return new Head(
        stored == null ? Manifest.EMPTY : Json.read("the manifest", stored.text(), Manifest.class),
        stored);
  }

  /**
   * Reads the manifest, and the documents of all layers that it names, for those who may mend them:
   * one that is missing, damaged or older than the manifest says is left out.
   *
   * @param before as for {@link #read}
   * @throws MisfitException if the manifest names a layer that cannot be, or is itself older than a
   *     document
   * @throws StoreUnavailableException as {@link #read}
   */
  public static Held readAll(FleetStore store, Held before) {
    Map<FleetLayer, String> misfits = Map.of();
    for (int i = 0; i < ATTEMPTS; i++) {
      Manifest manifest = head(store).manifest();
      Map<FleetLayer, Kept> documents = new HashMap<>();
      Map<FleetLayer, String> wrong = new TreeMap<>();
      for (FleetLayer layer : layersOf(manifest)) {
        String words = take(store, manifest, layer, before, documents);
        if (words != null) {
          wrong.put(layer, words);
        }
      }
      if (wrong.isEmpty() || wrong.equals(misfits)) { // the same twice is no change under way
        for (String words : wrong.values()) {
          if (words.startsWith(Misfit.NEWER)) { // what was written since the manifest is unknown
            throw new MisfitException(
                words.substring(Misfit.NEWER.length())
                    + ": the manifest may be an older one that was put back");
          }
        }
        return new Held(manifest, documents);
      }
      misfits = wrong;
    }
    throw new StoreUnavailableException("the settings changed each time they were read");
  }

  private static Collection<FleetLayer> layersOf(Manifest manifest) {
    List<FleetLayer> named = new ArrayList<>();
    for (String text : manifest.layers().keySet()) {
      try {
        named.add(FleetLayer.parse(text));
      } catch (IllegalArgumentException unknown) {
        throw new MisfitException(
            "the manifest names a layer that cannot be: " + unknown.getMessage());
      }
    }
    return named;
  }

  /**
   * Reads the manifest, and the documents of {@code layers} that it names.
   *
   * @param before what was read last: a document that has not changed since is not read again
   * @throws MisfitException if a document is missing, damaged, or older than the manifest says
   * @throws StoreUnavailableException if the store cannot be reached, or changed all the time
   */
  public static Held read(FleetStore store, Collection<FleetLayer> layers, Held before) {
    String misfit = null;
    for (int i = 0; i < ATTEMPTS; i++) {
      Manifest manifest = head(store).manifest();
      Map<FleetLayer, Kept> documents = new HashMap<>();
      String wrong = null;
      for (FleetLayer layer : layers) {
        wrong = wrong == null ? take(store, manifest, layer, before, documents) : wrong;
      }
      if (wrong == null) {
        return new Held(manifest, documents);
      }
      if (wrong.equals(misfit)) { // the same twice is no change under way
        throw new MisfitException(wrong);
      }
      misfit = wrong.startsWith(Misfit.NEWER) ? null : wrong;
    }
    throw new StoreUnavailableException("the settings changed each time they were read");
  }

  /** Takes the document of a layer over, or says why it does not fit. */
  private static @Nullable String take(
      FleetStore store,
      Manifest manifest,
      FleetLayer layer,
      Held before,
      Map<FleetLayer, Kept> documents) {
    long version = manifest.of(layer);
    if (version == 0) {
      return null;
    }
    Kept known = before.of(layer);
    if (known.document().version() == version
        && before.manifest().lineage().equals(manifest.lineage())) {
      documents.put(layer, known);
      return null;
    }
    Stored stored = store.read(Names.of(layer));
    if (stored == null) {
      return Misfit.missing(layer, version);
    }
    FleetDocument document;
    try {
      document = Json.read("the document " + layer, stored.text(), FleetDocument.class);
    } catch (StoreException damaged) {
      return Objects.requireNonNullElse(damaged.getMessage(), damaged.toString());
    }
    if (document.version() != version) {
      return Misfit.of(layer, document.version(), version);
    }
    documents.put(layer, new Kept(document, stored.writtenMillis()));
    return null;
  }
}
