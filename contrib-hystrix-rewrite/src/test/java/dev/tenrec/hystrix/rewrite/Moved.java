// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.rewrite;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.openrewrite.ExecutionContext;
import org.openrewrite.InMemoryExecutionContext;
import org.openrewrite.Parser;
import org.openrewrite.Recipe;
import org.openrewrite.SourceFile;
import org.openrewrite.config.Environment;
import org.openrewrite.config.YamlResourceLoader;
import org.openrewrite.internal.InMemoryLargeSourceSet;
import org.openrewrite.java.JavaParser;

/** A source that a recipe went over, and what it does when it is compiled. */
final class Moved {

  private static final String RECIPES = "/META-INF/rewrite/hystrix.yml";
  static final Path APPLICATION =
      Path.of("..", "contrib-hystrix", "src", "test", "java", "dev", "tenrec", "hystrix", "moved");

  private static final Environment ENVIRONMENT = environment();
  private static final List<Path> CLASS_PATH = JavaParser.runtimeClasspath();

  private Moved() {}

  private static Environment environment() {
    try (InputStream recipes = Objects.requireNonNull(Moved.class.getResourceAsStream(RECIPES))) {
      return Environment.builder()
          .load(new YamlResourceLoader(recipes, URI.create("hystrix.yml"), new Properties()))
          .build();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  static Recipe recipe(String name) {
    return ENVIRONMENT.activateRecipes("dev.tenrec.hystrix.rewrite." + name);
  }

  /** The sources of the shapes, and the worked migration, all moved at once: parsing is slow. */
  static final Map<String, String> JAVA = moved(sources());

  private static Map<String, String> sources() {
    Map<String, String> sources = new TreeMap<>();
    for (String name :
        List.of(
            "Greetings",
            "Facade",
            "Cached",
            "Streams",
            "Operators",
            "Plugins",
            "Starred",
            "Accounts",
            "Left",
            "Within",
            "Beside")) {
      sources.put(name, read(name));
    }
    try {
      sources.put(
          "OrderDesk", Files.readString(APPLICATION.resolve("before").resolve("OrderDesk.java")));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return sources;
  }

  /** Sources of Java after the recipe for them, by name. */
  static Map<String, String> moved(Map<String, String> sources) {
    Parser parser = JavaParser.fromJavaVersion().classpath(CLASS_PATH).build();
    List<String> moved = by("MoveFromHystrix", parser, sources.values().toArray(String[]::new));
    Map<String, String> byName = new TreeMap<>();
    sources.keySet().forEach(name -> byName.put(name, moved.get(byName.size())));
    return byName;
  }

  /** Texts after a recipe, in their order; the same if it changed nothing. */
  static List<String> by(String recipe, Parser parser, String... texts) {
    ExecutionContext context =
        new InMemoryExecutionContext(
            failure -> {
              throw new AssertionError(failure);
            });
    List<SourceFile> sources = parser.parse(context, texts).toList();
    Map<UUID, String> after = new HashMap<>();
    recipe(recipe)
        .run(new InMemoryLargeSourceSet(sources), context)
        .getChangeset()
        .getAllResults()
        .forEach(
            result -> {
              SourceFile changed = Objects.requireNonNull(result.getAfter());
              after.put(changed.getId(), changed.printAll());
            });
    return sources.stream()
        .map(source -> after.getOrDefault(source.getId(), source.printAll()))
        .toList();
  }

  static String read(String file) {
    try (InputStream source =
        Objects.requireNonNull(Moved.class.getResourceAsStream("/before/" + file + ".java"))) {
      return new String(source.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Compiles a source, and loads its class. */
  static Class<?> compiled(String name, String source, Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve(name + ".java"), source);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    String path =
        CLASS_PATH.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    boolean done =
        compiler
            .getTask(
                said,
                null,
                null,
                List.of("-proc:none", "-nowarn", "-cp", path, "-d", directory.toString()),
                null,
                compiler.getStandardFileManager(null, null, null).getJavaFileObjects(file))
            .call();
    if (!done) {
      throw new AssertionError(said + "\n" + source);
    }
    URLClassLoader loader =
        new URLClassLoader(new URL[] {directory.toUri().toURL()}, Moved.class.getClassLoader());
    return loader.loadClass("shop." + name);
  }
}
