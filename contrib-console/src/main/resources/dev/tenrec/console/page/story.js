// SPDX-License-Identifier: Apache-2.0
// One command's own page. Asked for once a second while it is in sight.

import {INSTANCE, address} from './model.js';
import {element, say} from './table.js';
import {band, heat, lines} from './charts.js';
import {Form, button} from './fleet.js';
import {STATES, because, clock, count, micros, nanos, rate} from './words.js';

const SPAN = 300000;
const EVERY = 1000;
const ADVICE_EVERY = 5000;
const WHY = {401: 'not allowed (any more)', 403: 'not allowed', 404: 'there is no such command at present', 503: 'it is too busy'};

/** The page of one command; draw() fills it, close() ends its asking. */
export class Story {
  constructor(root, model, command, fleet) {
    this.root = root;
    this.fleet = fleet;
    this.stop = null;
    this.model = model;
    this.command = command;
    this.which = 'execution';
    this.heat = {execution: [], caller: []};
    this.before = null;
    this.told = null;
    this.closed = false;
    this.counsel = null;
    this.build();
    this.ask();
    this.askAdvice();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.adviceTimer);
    this.form.close();
    if (this.stop) {
      this.stop();
    }
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
    this.trouble = element('p', 'bad');
    this.trouble.setAttribute('role', 'status');
    this.explanation = element('pre', '', '…');
    const place = element('div');
    this.form = new Form(this.fleet, place);
    this.knobs = element('p', 'line');
    root.append(back, this.title, this.state, this.trouble, this.knobs, place, part('Why', this.explanation));
    const charts = element('div', 'parts');
    this.rates = figure(charts, 'Calls a second: — answered, ┄ failed (errors, time-outs, beyond a deadline), ·· refused');
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
    this.advice = element('pre', '', '…');
    this.apply = element('p', 'line');
    const advised = part('What the adviser says', this.advice);
    advised.append(this.apply);
    charts.append(advised);
    root.append(charts, part('Journal', scrolling(this.journal)), part('Settings in force', scrolling(this.settings)));
  }

  /** What may be changed here, by whom: with a fleet, and for an operator of it. */
  knob() {
    if (this.model.fleet && !this.stop) {
      this.stop = this.fleet.follow(() => {
        if (this.told) {
          this.write();
        }
        this.advise();
      });
    }
    const may = this.fleet.you && this.told.keyLength === this.told.key.length;
    if (may && !this.knobs.firstChild) {
      this.knobs.append(
        button('Force open', () => this.change('circuitBreaker.forceOpen', 'true')),
        button('Force closed', () => this.change('circuitBreaker.forceClosed', 'true')));
    } else if (!may) {
      this.knobs.replaceChildren();
    }
    return may;
  }

  change(property, value) {
    const {source} = this.model;
    this.form.set('Change ' + property + ' of ' + this.told.key,
      [[this.fleet.seen.prefix + '.command.' + this.told.key + '.' + property, value]],
      {layer: source && source.instance && this.fleet.members.some(each => each.id === source.instance) ? 'instance/' + source.instance : 'fleet'});
    this.form.place.scrollIntoView({block: 'nearest'});
  }

  async ask() {
    if (this.closed) {
      return;
    }
    if (!document.hidden) {
      try {
        const answer = await fetch(address('command', 'id=' + this.command.id));
        if (this.closed) {
          return;
        }
        if (answer.ok) {
          this.take(await answer.json());
          this.say('');
        } else {
          this.say(WHY[answer.status] || 'the server answers with ' + answer.status);
        }
      } catch (e) {
        this.say('the server cannot be reached');
      }
    }
    this.timer = setTimeout(() => this.ask(), EVERY);
  }

  /** The adviser watches from the first time that it is asked. */
  async askAdvice() {
    if (this.closed) {
      return;
    }
    if (!document.hidden) {
      try {
        const answer = await fetch(address('advice', 'id=' + this.command.id));
        if (this.closed) {
          return;
        }
        if (answer.ok) {
          this.counsel = await answer.json();
          this.advise();
        }
      } catch (e) {
        // the page says it above
      }
    }
    this.adviceTimer = setTimeout(() => this.askAdvice(), ADVICE_EVERY);
  }

  advise() {
    const {counsel, told} = this;
    if (this.closed || !counsel) {
      return;
    }
    const isOfIt = Boolean(told) && told.key === counsel.key; // an instance may say what it likes
    if (told && !isOfIt && told.keyLength === told.key.length) {
      say(this.advice, '▲ This is the advice of another command.');
      this.apply.replaceChildren();
      return;
    }
    const lines = ['watched for ' + Math.round(counsel.watchedMillis / 1000) + ' s, at the load of that time'];
    lines.push(...counsel.proposals.map(each => '▸ set ' + each.scope + '.' + each.key + '.' + each.property + ': ' + each.present + ' → ' + each.proposed + ' (' + each.reason + ')'));
    if (!counsel.proposals.length) {
      lines.push('nothing to change' + (counsel.withheld.length ? ' can be proposed' : ''));
    }
    lines.push(...[counsel.present && 'as it is: ' + counsel.present, counsel.proposed && 'as proposed: ' + counsel.proposed].filter(Boolean));
    lines.push(...counsel.withheld.map(each => 'not said: ' + each), ...counsel.warnings.map(each => '▲ ' + each));
    say(this.advice, lines.join('\n'));
    const offers = counsel.proposals.length > 0 && isOfIt && Boolean(this.fleet.you);
    if (!offers) {
      this.apply.replaceChildren();
    } else if (!this.apply.firstChild) {
      this.apply.append(button('Try it as a canary', () => {
        this.form.set('What the adviser says of ' + this.told.key,
          this.counsel.proposals.map(each => [[this.fleet.seen.prefix, each.scope, each.key, each.property].join('.'), each.proposed]), {layer: 'new', from: INSTANCE});
        this.form.place.scrollIntoView({block: 'nearest'});
      }));
    }
  }

  /** What follows is not of now, or not there: why. Empty if it is. */
  say(why) {
    if (!this.closed) {
      say(this.trouble, why && '▲ This could not be read, trying again: ' + why + '.'
        + (this.told ? ' What follows is of ' + clock(this.told.t) + '.' : ''));
    }
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
    const may = this.knob();
    fill(this.settings, ['property', 'value', 'level', 'set by', 'refused', ...(may ? [''] : [])],
      told.settings.map(setting => [setting.property, setting.value === null ? '(unset)' : setting.value, setting.level.toLowerCase(), setting.origin || '', setting.refused || '',
        ...(may ? [() => button('Change', () => this.change(setting.property, setting.value || ''))] : [])]),
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
    made.append(...row.map((value, i) => {
      const cell = element('td', numbers.includes(i) ? 'number' : '');
      cell.append(typeof value === 'function' ? value() : value);
      return cell;
    }));
    return made;
  }));
}
