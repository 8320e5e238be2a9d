// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.readme;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The pages of this repository, as tests read them. */
final class Pages {

  static final Path ROOT = Files.isDirectory(Path.of("docs")) ? Path.of("") : Path.of("..");

  private Pages() {}

  /** All there are. */
  static List<Path> all() throws IOException {
    List<Path> pages = new ArrayList<>();
    Files.walkFileTree(
        ROOT.toAbsolutePath().normalize(),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes unused) {
            return isOurs(directory) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes unused) {
            if (file.toString().endsWith(".md")) {
              pages.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return pages;
  }

  /** What a build makes is not, nor what tools keep in hidden directories. */
  private static boolean isOurs(Path directory) {
    String name = directory.getFileName().toString();
    return !name.startsWith(".") && !name.equals("target");
  }

  static String read(String path) throws IOException {
    return Files.readString(ROOT.resolve(path));
  }

  /** What is fenced and has this language, which may be a regular expression. */
  static List<String> blocks(String page, String language) throws IOException {
    Matcher fenced =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(read(page));
    List<String> found = new ArrayList<>();
    while (fenced.find()) {
      found.add(fenced.group(1));
    }
    return found;
  }

  /** Without the layout: a formatter may break lines elsewhere. */
  static String bare(String code) {
    return code.replaceAll("\\s+", "");
  }
}
