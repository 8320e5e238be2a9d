// SPDX-License-Identifier: Apache-2.0
// One command's own page. Asked for once a second while it is in sight.

import {element, say} from './table.js';
import {band, heat, lines} from './charts.js';
import {STATES, because, clock, count, micros, nanos, rate} from './words.js';

const SPAN = 300000;
const EVERY = 1000;

/** The page of one command; draw() fills it, close() ends its asking. */
export class Story {
  constructor(root, model, command) {
    this.root = root;
    this.model = model;
    this.command = command;
    this.which = 'execution';
    this.heat = {execution: [], caller: []};
    this.before = null;
    this.told = null;
    this.closed = false;
    this.build();
    this.ask();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.root.replaceChildren();
  }

  build() {
    const root = this.root;
    root.replaceChildren();
    const back = element('a', '', '← all commands');
    back.href = '#/commands';
    this.title = element('h2', '', this.command.name);
    this.title.tabIndex = -1;
    this.state = element('p');
    this.explanation = element('pre', '', '…');
    root.append(back, this.title, this.state, part('Why', this.explanation));
    const charts = element('div', 'parts');
    this.rates = figure(charts, 'Calls a second: — answered, ┄ failed (errors and time-outs), ·· refused');
    this.latency = figure(charts, 'Latency as callers see it, of the percentile window: — p99, ┄ p50');
    this.heatMap = figure(charts, 'Latencies, each second by itself: darker is more calls (lighter in the dark); — p99, ┄ p50');
    this.heatMap.parentNode.classList.add('heat');
    const choice = element('button', '', 'show what callers see');
    choice.type = 'button';
    choice.addEventListener('click', () => {
      this.which = this.which === 'execution' ? 'caller' : 'execution';
      choice.textContent = this.which === 'execution' ? 'show what callers see' : 'show the work alone';
      this.draw();
    });
    this.heatMap.nextSibling.append(' ', choice);
    this.figures = element('table');
    this.sizing = element('div');
    this.journal = element('table');
    this.settings = element('table');
    charts.append(part('Now', this.figures), part('What sizing says of these figures', this.sizing));
    root.append(charts, part('Journal', scrolling(this.journal)), part('Settings in force', scrolling(this.settings)));
  }

  async ask() {
    if (this.closed) {
      return;
    }
    if (!document.hidden) {
      try {
        const answer = await fetch('command?id=' + this.command.id);
        if (this.closed) {
          return;
        }
        if (answer.ok) {
          this.take(await answer.json());
        }
      } catch (e) {
        // the line on top says that the connection is lost
      }
    }
    this.timer = setTimeout(() => this.ask(), EVERY);
  }

  take(told) {
    if (this.closed) {
      return;
    }
    if (this.before && told.t - this.before.t < 10000 && told.t > this.before.t) {
      for (const which of ['execution', 'caller']) {
        this.heat[which].push(difference(this.before, told, which));
        this.heat[which] = this.heat[which].filter(column => column.to > told.t - SPAN);
      }
    }
    this.before = told;
    this.told = told;
    this.write();
    this.draw();
  }

  write() {
    const told = this.told;
    say(this.title, told.key + (told.keyLength > told.key.length ? ' (' + count(told.keyLength) + ' characters)' : ''));
    say(this.explanation, told.explanation || 'nothing was refused or timed out lately');
    const total = Object.entries(told.total).map(([event, times]) => [event.toLowerCase().replaceAll('_', ' '), count(told.rolling[event] || 0), count(times)]);
    fill(this.figures, ['event', 'in the window', 'in all'], [
      ...total,
      ['slow, as the circuit counts', count(told.slow), ''],
      ['let through by observeOnly', '', count(told.wouldRefuse)],
      ['stages given up', '', count(told.abandoned)],
      ['most in flight', count(told.maxConcurrency), ''],
    ], [1, 2]);
    fill(this.journal, ['at', 'what'], told.journal.slice().reverse().map(entry => [clock(entry.at), entry.text]), []);
    fill(this.settings, ['property', 'value', 'level', 'refused'],
      told.settings.map(setting => [setting.property, setting.value === null ? '(unset)' : setting.value, setting.level.toLowerCase(), setting.refused || '']),
      [], row => row[2] !== 'default');
    this.size(told.sizing);
  }

  size(sizing) {
    if (sizing.coreSize === undefined) {
      this.sizing.replaceChildren(element('p', 'faint',
        'Too little is known: ' + count(sizing.measured) + ' latencies are in the percentile window, ' + count(sizing.needed) + ' are needed, and calls in the rolling window.'));
      return;
    }
    const note = sizing.healthy
      ? 'From what is measured now; measure at the peak.'
      : 'The circuit sees trouble: these are not figures of good health, and what follows from them is not to be set.';
    const table = element('table');
    fill(table, ['measured', ''], [
      ['calls a second', rate(sizing.perSecond)], ['p99 of the work', nanos(sizing.p99Nanos)],
      ['p99.5 of the work', nanos(sizing.p995Nanos)], ['tolerated errors', sizing.tolerated + ' %'],
    ], [1]);
    const says = element('table');
    fill(says, ['sizing says', ''], [
      ['coreSize, or permits', count(sizing.coreSize)], ['maximumSize', count(sizing.maximumSize)],
      ['maxQueueSize', count(sizing.queueSize)], ['time-out', count(sizing.timeoutMillis) + ' ms'],
      ['fallbacks at once', count(sizing.fallbackPermits)],
    ], [1]);
    this.sizing.replaceChildren(element('p', sizing.healthy ? 'faint' : 'warn', note), table, says);
  }

  draw() {
    const {model} = this;
    const isSame = each => each.name === this.command.name && each.group === this.command.group;
    const known = model.commands.get(this.command.id); // an id is of one run of the server
    const command = known && isSame(known) ? known : [...model.commands.values()].find(isSame);
    if (!command || !command.figures) {
      say(this.state, 'This command is not there any more.');
      return;
    }
    this.command = command;
    const [sign, words, tone] = STATES[model.states[command.state]];
    const reason = because(command, model.states, model.now);
    this.state.className = tone;
    say(this.state, sign + ' circuit ' + words + (reason ? ' · ' + reason : '') + ' · ' + command.busy + ' of ' + command.limit
      + ' in flight' + (command.stillBusy ? ' · ' + command.stillBusy + ' still busy' : '') + ' · group ' + command.group
      + (command.pool ? ' · pool ' + command.pool : ''));
    const history = command.history;
    const span = model.span;
    const calls = [], failures = [], refusals = [], p50 = [], p99 = [];
    model.eachColumn((t, at, before) => {
      for (const [points, values] of [[calls, history.calls], [failures, history.failures], [refusals, history.refusals]]) {
        const gone = before < 0 || Number.isNaN(values[before]) || values[at] < values[before];
        points.push(gone ? null : [t, (values[at] - values[before]) / model.seconds(before, at)]);
      }
      for (const [points, values] of [[p50, history.p50], [p99, history.p99]]) {
        if (before < 0) {
          points.push(null);
        }
        points.push(Number.isNaN(values[at]) ? null : [t, values[at]]);
      }
    });
    lines(this.rates, model.now, span, [
      {points: calls, colour: 'p50'}, {points: failures, colour: 'p99', dash: [6, 3]}, {points: refusals, colour: 'other', dash: [2, 3]},
    ], value => rate(value));
    lines(this.latency, model.now, span, [{points: p99, colour: 'p99'}, {points: p50, colour: 'p50', dash: [6, 3]}], micros);
    heat(this.heatMap, model.now, span, this.heat[this.which], nanos);
  }
}

/** What was recorded from one telling to the next: exact, for the slots only grow. */
function difference(before, after, which) {
  const had = new Map();
  for (let i = 0; i < before[which].length; i += 3) {
    had.set(before[which][i], before[which][i + 2]);
  }
  const fresh = [];
  let all = 0;
  for (let i = 0; i < after[which].length; i += 3) {
    const more = after[which][i + 2] - (had.get(after[which][i]) || 0);
    if (more > 0) {
      fresh.push([(after[which][i] + after[which][i + 1]) / 2, more]);
      all += more;
    }
  }
  const bands = new Map();
  for (const [latency, times] of fresh) {
    bands.set(band(latency), (bands.get(band(latency)) || 0) + times);
  }
  return {from: before.t, to: after.t, bands, p50: percentile(fresh, all, 0.5), p99: percentile(fresh, all, 0.99)};
}

function percentile(slots, all, share) {
  let seen = 0;
  for (const [latency, times] of slots) {
    seen += times;
    if (seen >= share * all) {
      return latency;
    }
  }
  return NaN;
}

function part(title, content) {
  const made = element('section');
  made.append(element('h3', '', title), content);
  return made;
}

function scrolling(content) {
  const made = element('div', 'scroll');
  made.tabIndex = 0;
  made.append(content);
  return made;
}

function figure(parent, words) {
  const made = element('figure');
  const canvas = element('canvas');
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', words);
  made.append(canvas, element('figcaption', '', words));
  parent.append(made);
  return canvas;
}

/** Writes a table anew where it differs; numbers are the columns that are. */
function fill(table, heads, rows, numbers, strong) {
  const text = JSON.stringify(rows);
  if (table.told === text) {
    return;
  }
  table.told = text;
  const head = element('tr');
  heads.forEach((title, i) => {
    const cell = element('th', numbers.includes(i) ? 'number' : '', title);
    cell.scope = 'col';
    head.append(cell);
  });
  table.replaceChildren(head, ...rows.map(row => {
    const made = element('tr', strong && strong(row) ? 'strong' : '');
    made.append(...row.map((value, i) => element('td', numbers.includes(i) ? 'number' : '', value)));
    return made;
  }));
}
