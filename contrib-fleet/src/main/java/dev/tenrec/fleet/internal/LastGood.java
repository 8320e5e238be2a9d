// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.fleet.model.FleetDocument;
import dev.tenrec.fleet.model.Manifest;
import dev.tenrec.fleet.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The file with what an instance had last, so that it starts with that while the store is away. Its
 * first line has the checksum of the rest. Only its owner may read it; it is written beside itself
 * and moved into its place, so there is never half of one.
 */
public final class LastGood {

  private static final String MARK = "tenrec-last-good 1 sha256 ";

  private final Path file;

  /** The file may not exist yet; its directory has to. */
  public LastGood(Path file) {
    this.file = file;
  }

  /**
   * What the file has.
   *
   * @param instance whose it is
   * @param held the settings
   * @param leftCanary the canary that the instance had left; 0 for none
   * @param storeMillis when it was written, by the store's clock
   * @param wallMillis when it was written, by this machine's clock
   */
  public record Content(
      String instance, Held held, long leftCanary, long storeMillis, long wallMillis) {}

  /** As it is written, and as {@link LastGoodReader} reads it: JSON has texts as keys only. */
  private record Written(
      String instance,
      Manifest manifest,
      Map<String, WrittenDocument> documents,
      long leftCanary,
      long storeMillis,
      long wallMillis) {}

  private record WrittenDocument(FleetDocument document, long writtenMillis) {}

  /**
   * Reads it.
   *
   * @return null if there is no file
   * @throws StoreException if it is damaged
   * @throws IllegalArgumentException likewise
   * @throws IOException if it cannot be read
   */
  public @Nullable Content read() throws IOException {
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException none) {
      return null;
    }
    int line = text.indexOf('\n');
    String body = text.substring(line + 1);
    if (line < 0 || !text.substring(0, line).equals(MARK + Digest.of(body))) {
      throw new StoreException("the last-good file " + file + " is damaged: its checksum is wrong");
    }
    return LastGoodReader.content(JsonTree.read("the last-good file " + file, body));
  }

  /** Writes it. */
  public void write(Content content) throws IOException {
    Map<String, WrittenDocument> documents = new HashMap<>();
    content
        .held()
        .documents()
        .forEach(
            (layer, kept) ->
                documents.put(
                    layer.toString(), new WrittenDocument(kept.document(), kept.writtenMillis())));
    String body =
        Json.write(
                new Written(
                    content.instance(),
                    content.held().manifest(),
                    documents,
                    content.leftCanary(),
                    content.storeMillis(),
                    content.wallMillis()))
            + "\n";
    Path directory = file.toAbsolutePath().getParent();
    Path fresh =
        Files.createTempFile(directory, "." + file.getFileName(), ".new", ownerOnly(directory));
    try {
      try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        ByteBuffer bytes =
            ByteBuffer.wrap(
                (MARK + Digest.of(body) + "\n" + body).getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
          int unused = channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private static FileAttribute<?>[] ownerOnly(@Nullable Path directory) throws IOException {
    boolean posix =
        directory != null && Files.getFileStore(directory).supportsFileAttributeView("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
