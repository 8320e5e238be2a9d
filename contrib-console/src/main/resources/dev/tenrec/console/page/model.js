// SPDX-License-Identifier: Apache-2.0
// What the stream has said: everything there is, and some minutes of it.

export const COLUMNS = 300; // one a second: five minutes
const COLUMN_MILLIS = 1000;

// Places in a command's row.
const STATE = 1, TROUBLE = 2, TOTAL = 3, ERRORS = 4, BUSY = 5, LIMIT = 6, STILL = 7, P50 = 8, P99 = 9,
  TRIAL = 10, FALLBACKS = 11, FALLBACK_LIMIT = 12, EVENTS = 13;

export const ANSWERS = ['SUCCESS', 'FALLBACK_SUCCESS', 'EXCEPTION_THROWN', 'CANCELLED', 'RESPONSE_FROM_CACHE'];
export const FAILURES = ['FAILURE', 'TIMEOUT'];
export const REFUSALS = [
  ['SHORT_CIRCUITED', 'circuit'], ['THREAD_POOL_REJECTED', 'pool'], ['SEMAPHORE_REJECTED', 'permits'],
  ['RATE_LIMITED', 'rate'],
];

/** The last minutes of one command, in the model's columns. */
class History {
  constructor() {
    this.calls = new Float64Array(COLUMNS).fill(NaN);
    this.failures = new Float64Array(COLUMNS).fill(NaN);
    this.refusals = new Float64Array(COLUMNS).fill(NaN);
    this.p50 = new Float32Array(COLUMNS).fill(NaN);
    this.p99 = new Float32Array(COLUMNS).fill(NaN);
  }
}

class Command {
  constructor(name, history) {
    [this.id, this.name, this.group, this.pool] = name;
    this.search = (this.name + '\n' + this.group + '\n' + this.pool).toLowerCase();
    this.history = history;
    this.why = null;
    this.figures = null;
    this.rates = {calls: 0, failures: 0, refused: [0, 0, 0, 0], refusals: 0};
  }

  take(figures, model) {
    this.figures = figures;
    const counts = figures[EVENTS];
    const sum = places => places.reduce((all, place) => all + (counts[place] || 0), 0);
    this.calls = sum(model.answerPlaces);
    this.failures = sum(model.failurePlaces);
    this.refused = model.refusalPlaces.map(place => counts[place] || 0);
    this.refusals = this.refused.reduce((all, one) => all + one, 0);
  }

  get state() { return this.figures[STATE]; }
  get trouble() { return this.figures[TROUBLE]; }
  get total() { return this.figures[TOTAL]; }
  get errors() { return this.figures[ERRORS]; }
  get busy() { return this.figures[BUSY]; }
  get limit() { return this.figures[LIMIT]; }
  get stillBusy() { return this.figures[STILL]; }
  get p50() { return this.figures[P50]; }
  get p99() { return this.figures[P99]; }
  get trialAt() { return this.figures[TRIAL]; }
  get fallbacks() { return this.figures[FALLBACKS]; }
  get fallbackLimit() { return this.figures[FALLBACK_LIMIT]; }
  count(place) { return this.figures[EVENTS][place] || 0; }
}

/** A pool, semaphore, rate limiter or collapser. */
class Shared {
  constructor(name) {
    [this.id, this.name] = name;
    this.search = this.name.toLowerCase();
    this.figures = [];
  }
}

export class Model {
  constructor() {
    this.kinds = {commands: new Map(), pools: new Map(), semaphores: new Map(), limiters: new Map(), collapsers: new Map()};
    this.journal = [];
    this.times = new Float64Array(COLUMNS).fill(NaN); // of each column, by the server's wall clock
    this.monotonic = new Float64Array(COLUMNS).fill(NaN); // the same on its clock that never jumps
    this.head = -1; // the newest column
    this.now = NaN;
    this.version = 0; // counts up with each message
    this.membership = 0; // and with each that made or removed something, or changed a circuit
    this.events = [];
    this.states = [];
  }

  get commands() { return this.kinds.commands; }

  apply(message) {
    const before = message.whole ? this.kinds : null;
    if (message.whole) {
      this.events = message.events;
      this.states = message.states;
      this.answerPlaces = ANSWERS.map(event => this.events.indexOf(event));
      this.failurePlaces = FAILURES.map(event => this.events.indexOf(event));
      this.refusalPlaces = REFUSALS.map(([event]) => this.events.indexOf(event));
      this.kinds = {commands: new Map(), pools: new Map(), semaphores: new Map(), limiters: new Map(), collapsers: new Map()};
      this.journal = [];
      this.membership++;
    }
    this.now = message.t;
    for (const kind of Object.keys(this.kinds)) {
      if (message[kind]) {
        this.change(kind, message[kind], before);
      }
    }
    if (message.journal) {
      this.journal = this.journal.concat(message.journal).slice(-1000);
    }
    this.column(message.t, message.n);
    this.version++;
  }

  change(kind, part, before) {
    const all = this.kinds[kind];
    for (const id of part.gone || []) {
      all.delete(id);
      this.membership++;
    }
    if (part.names) {
      const histories = before && kind === 'commands' ? byName(before.commands) : null;
      for (const name of part.names) {
        const item = kind === 'commands'
          ? new Command(name, (histories && histories.get(name[1])) || new History())
          : new Shared(name);
        all.set(item.id, item);
      }
      this.membership++;
    }
    for (const row of part.rows || []) {
      const item = all.get(row[0]);
      if (item instanceof Command) {
        if (item.figures && item.state !== row[STATE]) {
          this.membership++; // what needs somebody comes up at once
        }
        item.take(row, this);
      } else if (item) {
        item.figures = row;
      }
    }
    for (const [id, since, text] of part.why || []) {
      const item = all.get(id);
      if (item) {
        item.why = text === undefined ? null : {since, text};
      }
    }
  }

  /** A column a second; a pause is a pause in the times, not fewer columns pushed together. */
  column(t, n) {
    const newest = this.head < 0 ? -Infinity : this.monotonic[this.head];
    if (n < newest) { // another server, or a new start of it
      this.times.fill(NaN);
      this.monotonic.fill(NaN);
      this.head = -1;
      for (const command of this.commands.values()) {
        command.history = new History();
      }
    } else if (n - newest < COLUMN_MILLIS - 20) {
      return;
    }
    const at = this.head = (this.head + 1) % COLUMNS;
    this.times[at] = t;
    this.monotonic[at] = n;
    for (const command of this.commands.values()) {
      const history = command.history;
      history.calls[at] = command.calls;
      history.failures[at] = command.failures;
      history.refusals[at] = command.refusals;
      history.p50[at] = command.p50 || NaN;
      history.p99[at] = command.p99 || NaN;
      this.rates(command, at, n);
    }
  }

  /** A second, over the last five of them or what there is of them. */
  rates(command, at, n) {
    command.before = command.before || [];
    command.before.push([n, command.calls, command.failures, command.refused]);
    while (command.before.length > 2 && n - command.before[1][0] >= 5000) {
      command.before.shift();
    }
    const [then, calls, failures, refused] = command.before[0];
    const seconds = (n - then) / 1000;
    const rate = (now, was) => (seconds > 0 && now >= was ? (now - was) / seconds : 0);
    const each = command.refused.map((now, i) => rate(now, refused[i]));
    command.rates = {
      calls: rate(command.calls, calls), failures: rate(command.failures, failures),
      refused: each, refusals: each.reduce((all, one) => all + one, 0),
    };
  }

  /** Calls visit(time, column, the column before or -1 after a pause), the oldest first. */
  eachColumn(visit) {
    let before = -1;
    for (let i = 1; i <= COLUMNS; i++) {
      const at = (this.head + i) % COLUMNS;
      if (this.head < 0 || Number.isNaN(this.times[at])) {
        continue;
      }
      const pause = before >= 0 && this.monotonic[at] - this.monotonic[before] > 4 * COLUMN_MILLIS;
      visit(this.times[at], at, pause ? -1 : before);
      before = at;
    }
  }

  /** How long a chart is: a minute at first, then all there is. */
  get span() {
    let oldest = this.now;
    this.eachColumn(t => { oldest = Math.min(oldest, t); });
    return Math.min(COLUMNS * COLUMN_MILLIS, Math.max(60000, this.now - oldest));
  }

  seconds(from, to) {
    return (this.monotonic[to] - this.monotonic[from]) / 1000;
  }
}

function byName(commands) {
  const found = new Map();
  for (const command of commands.values()) {
    found.set(command.name, command.history);
  }
  return found;
}

/** Keeps a model fed, and reports how the connection is. */
export function follow(model, onChange, onState) {
  let source;
  let heard = performance.now();
  const open = () => {
    source = new EventSource('stream');
    source.onmessage = event => {
      heard = performance.now();
      model.apply(JSON.parse(event.data));
      onState('live');
      onChange();
    };
    source.onerror = () => {
      onState('lost');
      if (source.readyState === EventSource.CLOSED) { // refused: the browser does not try again
        setTimeout(open, 3000);
      }
    };
  };
  open();
  setInterval(() => {
    if (source.readyState === EventSource.OPEN && performance.now() - heard > 5000) {
      onState('late');
    }
  }, 1000);
}
