// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.netflix.turbine.streaming.servlet.TurbineStreamServlet;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;

/**
 * Netflix' dashboard as it was released, but for the address of one script, and Turbine's servlet,
 * in a Tomcat.
 */
final class Site implements AutoCloseable {

  private static final String PAGE = "/monitor/monitor.html";
  private static final String FROM_ELSEWHERE =
      "//cdnjs.cloudflare.com/ajax/libs/underscore.js/1.8.3/underscore-min.js";

  /** Serves text as it is. */
  private static final class Text extends HttpServlet {

    private static final long serialVersionUID = 1;

    private final String type;
    private final byte[] content;

    Text(String type, String content) {
      this.type = type;
      this.content = content.getBytes(UTF_8);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.setContentType(type);
      response.getOutputStream().write(content);
    }
  }

  private final Tomcat tomcat = new Tomcat();

  Site(Path war, Path directory) throws LifecycleException {
    tomcat.setBaseDir(directory.toString());
    tomcat.setHostname("localhost");
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", InetAddress.getLoopbackAddress().getHostAddress());
    tomcat.setAddDefaultWebXmlToWebapp(false); // it wants JSPs
    Context dashboard = tomcat.addWebapp("/hystrix-dashboard", war.toString());
    add(dashboard, "files", new DefaultServlet(), "/");
    Tomcat.addDefaultMimeTypeMappings(dashboard);
    add(dashboard, "page", new Text("text/html;charset=UTF-8", page(war)), PAGE);
    add(dashboard, "underscore", new Text("text/javascript", underscore()), "/underscore.js");
    Context turbine = tomcat.addContext("/turbine", directory.toString());
    add(turbine, "turbine", new TurbineStreamServlet(), "/turbine.stream");
    tomcat.start();
  }

  private static void add(Context context, String name, HttpServlet servlet, String path) {
    Tomcat.addServlet(context, name, servlet).setAsyncSupported(true);
    context.addServletMappingDecoded(path, name);
  }

  private static String page(Path war) {
    try (FileSystem files = FileSystems.newFileSystem(war)) {
      String released = Files.readString(files.getPath(PAGE));
      String served = released.replace(FROM_ELSEWHERE, "../underscore.js");
      if (served.equals(released)) {
        throw new IllegalStateException("the page does not load " + FROM_ELSEWHERE);
      }
      return served;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String underscore() {
    String resource =
        "/META-INF/resources/webjars/underscore/"
            + System.getProperty("tenrec.test.underscore")
            + "/underscore-min.js";
    try (InputStream in = Site.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("no " + resource);
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String root() {
    return "http://localhost:" + tomcat.getConnector().getLocalPort();
  }

  /** Turbine's stream of all instances. */
  String turbine() {
    return root() + "/turbine/turbine.stream";
  }

  /** The page that shows this stream. */
  String dashboardOf(String stream) {
    return root()
        + "/hystrix-dashboard"
        + PAGE
        + "?stream="
        + URLEncoder.encode(stream, UTF_8)
        + "&title=test";
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }
}
