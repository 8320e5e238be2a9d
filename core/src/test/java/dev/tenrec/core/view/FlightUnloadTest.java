// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.ChildJvm;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.view.PoolView;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application goes, with its Tenrec; the JVM's flight recorder outlives both. */
class FlightUnloadTest {

  @TempDir Path directory;

  /** As in an archive of the application's own. */
  private static final class Loader extends URLClassLoader {

    Loader() {
      super(
          new URL[] {
            location(Tenrec.class), location(PoolView.class), location(FlightUnloadTest.class)
          },
          FlightUnloadTest.class.getClassLoader());
    }

    private static URL location(Class<?> one) {
      return one.getProtectionDomain().getCodeSource().getLocation();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> present = findLoadedClass(name);
        if (present == null && name.startsWith("dev.tenrec.")) {
          present = findClass(name);
        }
        return present != null ? present : super.loadClass(name, resolve);
      }
    }
  }

  /** By the application's loader. */
  static final class Application implements Runnable {

    @Override
    public void run() {
      useTwo("First");
      useTwo("Second");
    }

    private static void useTwo(String key) {
      try (Tenrec one = Tenrec.create();
          Tenrec other = Tenrec.create()) {
        use(one, key);
        use(other, key);
      }
    }

    private static void use(Tenrec tenrec, String key) {
      assertThat(tenrec.command(key, (String s) -> s).build().execute("x")).isEqualTo("x");
    }
  }

  private static WeakReference<ClassLoader> runApplication() throws Exception {
    try (Loader loader = new Loader()) {
      Class<?> application = loader.loadClass(Application.class.getName());
      assertThat(application).isNotSameAs(Application.class);
      Constructor<?> constructor = application.getDeclaredConstructor();
      constructor.setAccessible(true); // another loader's package is another package
      Runnable run = (Runnable) constructor.newInstance();
      assertThat(
              Elsewhere.call(
                  () -> {
                    Thread.currentThread().setContextClassLoader(loader);
                    run.run();
                    return "done";
                  }))
          .succeedsWithin(PatientWaits.patience())
          .isEqualTo("done");
      return new WeakReference<>(loader);
    }
  }

  private static void awaitUnloaded(WeakReference<ClassLoader> loader) {
    await()
        .atMost(PatientWaits.patience())
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(loader.get() == null).as("unloaded").isTrue();
            });
  }

  static final class WithoutRecording {

    public static void main(String[] arguments) throws Exception {
      awaitUnloaded(runApplication());
      System.out.println(ChildJvm.WELL);
    }
  }

  static final class WithRecording {

    public static void main(String[] arguments) throws Exception {
      WeakReference<ClassLoader> loader;
      try (Recording recording = new Recording()) {
        recording.enable("dev.tenrec.PoolSample");
        recording.start();
        loader = runApplication();
      }
      awaitUnloaded(loader);
      System.out.println(ChildJvm.WELL);
    }
  }

  /** From Java 25 on, the JDK has caches that hold an application until memory is scarce. */
  private static final String NOTHING_SOFT = "-XX:SoftRefLRUPolicyMSPerMB=0";

  @Test
  void applicationThatClosedItsTenrecs_isUnloaded() throws Exception {
    ChildJvm.with(NOTHING_SOFT).run(directory, PatientWaits.seconds(), WithoutRecording.class);
  }

  @Test
  void applicationThatWasRecorded_isUnloaded() throws Exception {
    ChildJvm.with(NOTHING_SOFT).run(directory, PatientWaits.seconds(), WithRecording.class);
  }

  @Test
  void poolsOfATenrec_thatComesWhenTheOthersHaveGone_areSampled() throws Exception {
    try (Recording recording = new Recording()) {
      recording.enable("dev.tenrec.PoolSample").withPeriod(Duration.ofMillis(20));
      recording.start();
      Application.useTwo("First");
      Application.useTwo("Second");
      try (Tenrec tenrec = Tenrec.create()) {
        Application.use(tenrec, "Last");
        await()
            .atMost(PatientWaits.patience())
            .untilAsserted(() -> assertThat(sampled(recording)).contains("Last"));
      }
    }
  }

  private List<String> sampled(Recording recording) throws IOException {
    Path file = Files.createTempFile(directory, "part", ".jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals("dev.tenrec.PoolSample"))
        .map(event -> event.getString("pool"))
        .toList();
  }
}
