// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.provider;

import java.util.List;

/**
 * How a provider serves its connections.
 *
 * @param model which of the library's servers
 * @param selectors threads that read and write frames, where the model leaves their number open
 * @param workers threads that do the calls
 */
public record ServerKind(Model model, int selectors, int workers) {

  /** As the system has it, but for rows that try another. */
  public static final ServerKind USUAL = new ServerKind(Model.SELECTORS, 2, 4);

  /** The library's servers that hold many connections. */
  public enum Model {
    /** Several selectors, and workers behind a queue without a bound. */
    SELECTORS("TThreadedSelectorServer"),

    /** One selector, and workers behind such a queue. */
    ONE_SELECTOR("THsHaServer"),

    /** A worker for each connection, as long as that is open. */
    CONNECTIONS("TThreadPoolServer");

    private final String label;

    Model(String label) {
      this.label = label;
    }

    /** The library's name. */
    public String label() {
      return label;
    }
  }

  /** For {@link ProviderMain}, after the port. */
  public List<String> arguments() {
    return List.of(model.name(), Integer.toString(selectors), Integer.toString(workers));
  }

  /** The other way round. */
  static ServerKind of(List<String> arguments) {
    return new ServerKind(
        Model.valueOf(arguments.get(0)),
        Integer.parseInt(arguments.get(1)),
        Integer.parseInt(arguments.get(2)));
  }
}
