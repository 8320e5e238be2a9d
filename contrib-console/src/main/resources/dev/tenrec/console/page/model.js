// SPDX-License-Identifier: Apache-2.0
// What the stream has said: everything there is, and some minutes of it.

export const COLUMNS = 300; // one a second: five minutes
const COLUMN_MILLIS = 1000;
const KEPT = 1000; // of the journal

// Places in a command's row.
const STATE = 1, TROUBLE = 2, TOTAL = 3, ERRORS = 4, BUSY = 5, LIMIT = 6, STILL = 7, P50 = 8, P99 = 9,
  TRIAL = 10, FALLBACKS = 11, FALLBACK_LIMIT = 12, EVENTS = 13;

export const ANSWERS = ['SUCCESS', 'FALLBACK_SUCCESS', 'EXCEPTION_THROWN', 'CANCELLED', 'RESPONSE_FROM_CACHE'];
export const FAILURES = ['FAILURE', 'TIMEOUT', 'DEADLINE_EXCEEDED'];
export const REFUSALS = [
  ['SHORT_CIRCUITED', 'circuit'], ['THREAD_POOL_REJECTED', 'pool'], ['SEMAPHORE_REJECTED', 'permits'],
  ['RATE_LIMITED', 'rate'],
];

/** Whose page this is, if not that of the instance which serves it: it is asked through that. */
export const INSTANCE = new URLSearchParams(location.search).get('instance');

/** The address of a part, of the instance whose page this is. */
export function address(part, query = '') {
  const all = [INSTANCE === null ? '' : 'instance=' + encodeURIComponent(INSTANCE), query].filter(Boolean).join('&');
  return part + (all ? '?' + all : '');
}

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
    this.rename(name);
    this.history = history;
    this.why = null;
    this.figures = null;
    this.rates = {calls: 0, failures: 0, refused: [0, 0, 0, 0], refusals: 0};
  }

  /** The same command may get another pool. */
  rename(name) {
    [this.id, this.name, this.group, this.pool] = name;
    this.search = (this.name + '\n' + this.group + '\n' + this.pool).toLowerCase();
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

/** A pool, semaphore, rate limiter, budget or collapser. */
class Shared {
  constructor(name) {
    [this.id, this.name] = name;
    this.search = this.name.toLowerCase();
    this.figures = [];
  }
}

export class Model {
  constructor() {
    this.kinds = {commands: new Map(), pools: new Map(), semaphores: new Map(), limiters: new Map(), budgets: new Map(), collapsers: new Map()};
    this.journal = [];
    this.times = new Float64Array(COLUMNS).fill(NaN); // of each column, by the server's wall clock
    this.monotonic = new Float64Array(COLUMNS).fill(NaN); // the same on its clock that never jumps
    this.head = -1; // the newest column
    this.now = NaN;
    this.every = 500; // milliseconds from one message to the next
    this.version = 0; // counts up with each message
    this.membership = 0; // and with each that made or removed something, or changed a circuit
    this.events = [];
    this.states = [];
    this.fleet = false; // whether there is one to look at
    this.source = null; // where the settings come from, and whether that is reached; null if from no store
  }

  get commands() { return this.kinds.commands; }

  apply(message) {
    const before = message.whole ? this.kinds : null;
    if (message.whole) {
      this.every = message.every;
      this.events = message.events;
      this.states = message.states;
      this.answerPlaces = ANSWERS.map(event => this.events.indexOf(event));
      this.failurePlaces = FAILURES.map(event => this.events.indexOf(event));
      this.refusalPlaces = REFUSALS.map(([event]) => this.events.indexOf(event));
      this.kinds = {commands: new Map(), pools: new Map(), semaphores: new Map(), limiters: new Map(), budgets: new Map(), collapsers: new Map()};
      this.journal = [];
      this.fleet = message.fleet === true || INSTANCE !== null; // which is in one
      this.source = null;
      this.membership++;
    }
    if (message.source) {
      this.source = message.source;
    }
    this.now = message.t;
    for (const kind of Object.keys(this.kinds)) {
      if (message[kind]) {
        this.change(kind, message[kind], before);
      }
    }
    if (message.journal) {
      const [first] = message.journal;
      const gap = message.leftOut
        ? [{number: first.number - 0.5, at: first.at, scope: '', key: '…', text: message.leftOut + ' entries before this one are not shown'}]
        : [];
      this.journal = this.journal.concat(gap, message.journal).slice(-KEPT);
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
        const known = all.get(name[0]);
        if (known instanceof Command) {
          known.rename(name);
          continue;
        }
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
        command.before = [];
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
      const pause = before >= 0 && this.monotonic[at] - this.monotonic[before] > this.pause;
      visit(this.times[at], at, pause ? -1 : before);
      before = at;
    }
  }

  /** Columns further apart are no line, for nothing was heard between them. */
  get pause() {
    return Math.max(4 * COLUMN_MILLIS, 2.5 * this.every);
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

/** What the server says to a page that it does not let in: status and words; null if it lets it in. */
async function refusal() {
  const asked = new AbortController();
  try {
    const answer = await fetch(address('stream'), {signal: asked.signal, redirect: 'manual', cache: 'no-store'});
    return answer.ok ? null : answer.type === 'opaqueredirect' ? {status: 401} : {status: answer.status, words: INSTANCE === null ? '' : (await answer.text()).trim()};
  } catch (e) {
    return {status: 0};
  } finally {
    asked.abort(); // it was asked for its status only
  }
}

const REFUSALS_OF_PAGES = {401: 'locked', 403: 'locked', 503: 'full'};

/** Keeps a model fed, and reports how the connection is. */
export function follow(model, onChange, onState) {
  let source;
  let heard = performance.now();
  let gone = false; // the instance that is looked at has, and that was said
  const open = () => {
    source = new EventSource(address('stream'));
    source.addEventListener('gone', event => {
      gone = true;
      onState('instance', event.data.split('\n').pop()); // before the last line: an event that was cut off
    });
    source.onmessage = event => {
      heard = performance.now();
      gone = false;
      model.apply(JSON.parse(event.data));
      onState('live');
      onChange();
    };
    source.onerror = async () => {
      if (!gone) {
        onState('lost');
      }
      if (source.readyState === EventSource.CLOSED) { // refused: the browser does not try again, nor does it say why
        const refused = await refusal();
        if (refused !== null) {
          onState(refused.words ? 'instance' : REFUSALS_OF_PAGES[refused.status] || 'lost', refused.words);
        }
        setTimeout(open, 3000);
      }
    };
  };
  open();
  setInterval(() => {
    if (source.readyState === EventSource.OPEN && performance.now() - heard > Math.max(5000, 2.5 * model.every)) {
      onState('late');
    }
  }, 1000);
}
