// SPDX-License-Identifier: Apache-2.0
// The page: tabs, lists, and which of them is in sight.

import {INSTANCE, Model, REFUSALS, follow} from './model.js';
import {Table, element, say} from './table.js';
import {spark} from './charts.js';
import {Story} from './story.js';
import {Fleet, FleetPage} from './fleet.js';
import {STATES, because, clock, count, micros, rate} from './words.js';

const model = new Model();
const fleet = new Fleet();
const RESORT = 2000;

const URGENCY = {FORCED_OPEN: 4, OPEN: 5, HALF_OPEN: 3, FORCED_CLOSED: 1, DISABLED: 0, CLOSED: 0};

const two = cell => {
  cell.classList.add('two');
  cell.append(element('span'), element('small'));
};
const pair = (cell, first, second, tone = '') => {
  say(cell.firstChild, first);
  say(cell.lastChild, second);
  if (cell.firstChild.className !== tone) {
    cell.firstChild.className = tone;
  }
};
const tone = (cell, name) => {
  if (cell.dataset.tone !== name) {
    cell.classList.remove(cell.dataset.tone || 'none');
    cell.dataset.tone = name;
    cell.classList.add(name || 'none');
  }
};
const occupied = cell => {
  const bar = element('div', 'bar');
  bar.append(element('i'));
  cell.append(element('span'), bar);
};
const occupy = (cell, text, busy, limit) => {
  say(cell.firstChild, text);
  const part = limit > 0 ? Math.min(1, busy / limit) : 0;
  const scale = 'scaleX(' + part.toFixed(3) + ')';
  const inner = cell.lastChild.firstChild;
  if (inner.style.transform !== scale) {
    inner.style.transform = scale;
  }
  cell.lastChild.classList.toggle('full', limit > 0 && busy >= limit);
};

const commandColumns = [
  {title: 'Command', size: 'minmax(8em, 2fr)', number: false, value: item => item.search, make: two,
    show: (cell, item) => { pair(cell, item.name, item.group); cell.title = item.name; }},
  {title: 'Circuit', size: 'minmax(8em, 3fr)', help: 'What the circuit does, when it tries again, and why', value: item => URGENCY[model.states[item.state]], make: two,
    show: (cell, item) => {
      const [sign, words, name] = STATES[model.states[item.state]];
      const reason = because(item, model.states, model.now);
      pair(cell, sign + ' ' + words, reason, name);
      cell.title = reason;
    }},
  {title: 'Calls/s', size: '4.5em', number: true, help: 'Answers a second, over the last five seconds', value: item => item.rates.calls, show: (cell, item) => say(cell, rate(item.rates.calls))},
  {title: 'Errors', size: '5.5em', number: true, help: 'Errors, time-outs and calls beyond their deadline a second; below, trouble in the health window', value: item => item.rates.failures, make: two,
    show: (cell, item) => pair(cell, rate(item.rates.failures) + '/s', item.total ? item.trouble + ' %' : '', item.rates.failures > 0 ? 'bad' : '')},
  {title: 'Refused', size: 'minmax(6em, 1fr)', wide: true, number: true, help: 'Refusals a second, and by what', value: item => item.rates.refusals, make: two,
    show: (cell, item) => pair(cell, rate(item.rates.refusals) + '/s',
      REFUSALS.map(([, words], i) => (item.rates.refused[i] > 0 ? words + ' ' + rate(item.rates.refused[i]) : '')).filter(Boolean).join(' · '),
      item.rates.refusals > 0 ? 'warn' : '')},
  {title: 'p50', size: '5em', wide: true, number: true, help: 'As callers see it, of the percentile window', value: item => item.p50, show: (cell, item) => say(cell, micros(item.p50))},
  {title: 'p99', size: '5em', number: true, help: 'As callers see it, of the percentile window', value: item => item.p99, show: (cell, item) => say(cell, micros(item.p99))},
  {title: 'p99, 5 min', size: '120px', wide: true, number: true, value: item => item.p99,
    make: cell => {
      const canvas = element('canvas');
      canvas.style.width = '110px';
      canvas.style.height = '30px';
      canvas.setAttribute('aria-hidden', 'true');
      cell.append(canvas);
    },
    show: (cell, item) => {
      const drawn = item.id + ' ' + model.head;
      if (cell.drawn !== drawn) { // one column a second: no need to draw between them
        cell.drawn = drawn;
        spark(cell.firstChild, 110, 30, model, item.history.p99, 'p99', model.span);
      }
    }},
  {title: 'In flight', size: '6.5em', wide: true, number: true, help: 'Executions that hold a permit, and how many may', value: item => (item.limit > 0 ? item.busy / item.limit : 0), make: occupied,
    show: (cell, item) => occupy(cell, item.busy + ' / ' + count(item.limit), item.busy, item.limit)},
  {title: 'Still busy', size: '5em', wide: true, number: true, help: 'Works that go on although their call was answered', value: item => item.stillBusy,
    show: (cell, item) => { say(cell, String(item.stillBusy)); tone(cell, item.stillBusy > 0 ? 'warn' : ''); }},
];

const figure = (title, place, more = {}) => ({title, size: 'minmax(5em, 1fr)', number: true, value: item => item.figures[place], show: (cell, item) => say(cell, count(item.figures[place])), ...more});
const named = title => ({title, size: 'minmax(8em, 3fr)', number: false, value: item => item.search, show: (cell, item) => { say(cell, item.name); cell.title = item.name; }});
const bar = (title, busy, limit) => ({title, size: 'minmax(7em, 1fr)', number: true, value: item => item.figures[busy] / Math.max(1, item.figures[limit]), make: occupied,
  show: (cell, item) => occupy(cell, count(item.figures[busy]) + ' / ' + count(item.figures[limit]), item.figures[busy], item.figures[limit])});

const lists = {
  commands: {title: 'Commands', columns: commandColumns, sort: {column: 1, down: true}},
  pools: {title: 'Pools', sort: {column: 1, down: true}, columns: [
    named('Pool'), bar('Active of core', 1, 3), figure('Threads', 2), figure('Maximum', 4, {wide: true}),
    {title: 'Queued', size: 'minmax(7em, 1fr)', number: true, value: item => item.figures[5], make: occupied,
      show: (cell, item) => occupy(cell, count(item.figures[5]) + (item.figures[6] < 0 ? '' : ' / ' + count(item.figures[6])), item.figures[5], item.figures[6])},
    figure('Refused in all', 7)]},
  semaphores: {title: 'Semaphores', sort: {column: 1, down: true}, columns: [named('Semaphore'), bar('In use', 1, 2)]},
  limiters: {title: 'Rate limiters', sort: {column: 0, down: false}, columns: [named('Rate limiter'), figure('Available', 1), figure('Keys', 2)]},
  budgets: {title: 'Retry budgets', sort: {column: 1, down: true}, columns: [named('Retry budget'), bar('Drawn in 10 s', 1, 2), figure('Commands', 3)]},
  collapsers: {title: 'Collapsers', sort: {column: 1, down: true}, columns: [
    named('Collapser'), figure('Batches', 1), figure('Calls', 2), figure('From cache', 3),
    figure('Mean size', 4, {show: (cell, item) => say(cell, (item.figures[4] / 100).toFixed(1))}), figure('Greatest', 5)]},
  journal: {title: 'Journal', sort: {column: 0, down: true}, columns: [
    {title: 'At', size: '6em', number: true, value: item => item.number, show: (cell, item) => say(cell, clock(item.at))},
    {title: 'Of', size: 'minmax(7em, 1fr)', number: false, value: item => item.key, make: two, show: (cell, item) => { pair(cell, item.key, item.scope); cell.title = item.key; }},
    {title: 'What', size: 'minmax(10em, 4fr)', number: false, value: item => item.text, show: (cell, item) => { say(cell, item.text); cell.title = item.text; }}]},
};

const byId = id => document.getElementById(id);
const filter = byId('filter'), only = byId('only');
let shown = 'commands', story = null, fleetPage = null, ordered = null, sortedAt = 0, dirty = true;

for (const [name, list] of Object.entries(lists)) {
  const tab = element('a', '', list.title);
  tab.href = '#/' + name;
  list.tab = tab;
  byId('tabs').append(tab);
  list.table = new Table(list.title, list.columns, {sort: list.sort, open: name === 'commands' ? open : undefined});
  list.table.onSort = () => { ordered = null; change(); };
}

const fleetTab = element('a', '', 'Fleet');
fleetTab.href = '#/fleet';
fleetTab.hidden = true;
byId('tabs').append(fleetTab);

function open(command) {
  location.hash = '#/command/' + command.id + '/' + encodeURIComponent(command.name.toWellFormed ? command.name.toWellFormed() : command.name.replace(/[\uD800-\uDFFF]/g, '?'));
}

/** Shows what the address says. */
function route() {
  const [, where, id, name] = location.hash.split('/');
  if (story) {
    story.close();
    story = null;
  }
  if (fleetPage) {
    fleetPage.close();
    fleetPage = null;
  }
  const isFleet = where === 'fleet' && model.fleet;
  let command = null;
  if (where === 'command') {
    let wanted = '';
    try {
      wanted = decodeURIComponent(name || '');
    } catch (e) {
      // an address that was written by hand
    }
    command = model.commands.get(Number(id));
    if (!command || command.name !== wanted) { // an id is of one run of the server
      command = [...model.commands.values()].find(each => each.name === wanted) || command || null;
    }
  }
  shown = lists[where] ? where : 'commands';
  byId('lists').hidden = command !== null || isFleet;
  byId('fleet').hidden = !isFleet;
  byId('story').hidden = command === null;
  document.title = (command ? command.name + ' – ' : isFleet ? 'Fleet – ' : '') + 'Tenrec';
  if (isFleet) {
    fleetTab.setAttribute('aria-current', 'page');
  } else {
    fleetTab.removeAttribute('aria-current');
  }
  for (const [key, list] of Object.entries(lists)) {
    if (key === shown && !command && !isFleet) {
      list.tab.setAttribute('aria-current', 'page');
    } else {
      list.tab.removeAttribute('aria-current');
    }
  }
  if (command) {
    story = new Story(byId('story'), model, command, fleet);
    story.title.focus();
  } else if (isFleet) {
    fleetPage = new FleetPage(byId('fleet'), fleet, model);
    fleetPage.title.focus();
  } else if (byId('table').firstChild !== lists[shown].table.root) {
    byId('table').replaceChildren(lists[shown].table.root);
  }
  only.disabled = shown !== 'commands';
  ordered = null;
  change();
}

function items() {
  if (shown === 'journal') {
    return model.journal.map(entry => Object.assign(entry, {id: entry.number, search: (entry.key + '\n' + entry.text).toLowerCase()}));
  }
  return [...model.kinds[shown].values()].filter(item => item.figures);
}

const conditions = {
  all: () => true,
  circuit: item => model.states[item.state] !== 'CLOSED',
  trouble: item => item.rates.failures > 0 || item.rates.refusals > 0,
  busy: item => item.stillBusy > 0,
};

/** Sorting while somebody reads is a nuisance: at most every two seconds, unless something came or went, or a circuit changed. */
function select() {
  const now = performance.now();
  if (ordered && ordered.membership === model.membership && now - sortedAt < RESORT && shown !== 'journal') {
    return;
  }
  const words = filter.value.toLowerCase().trim();
  const condition = shown === 'commands' ? conditions[only.value] : conditions.all;
  const all = items();
  const found = all.filter(item => item.search.includes(words) && condition(item));
  ordered = {membership: model.membership, items: lists[shown].table.order(found)};
  sortedAt = now;
  say(byId('shown'), found.length === all.length ? count(all.length) : count(found.length) + ' of ' + count(all.length));
}

/** Where the settings come from; an instance that is cut off says so on every page. */
function source() {
  const {source} = model;
  fleetTab.hidden = !model.fleet;
  byId('source').className = source && (!source.connected || source.alarms.length) ? 'bad' : '';
  say(byId('source'), !source ? '' : (source.instance || '') + (source.zone ? ' in ' + source.zone : '')
    + ' · version ' + source.version + (source.canary ? ' · canary: ' + source.canary : '')
    + (source.connected ? '' : ' · ▲ cut off from the settings’ store' + (source.fromLastGood ? ' since its start, goes by its last-good file' : ', goes by what it has'))
    + source.alarms.map(each => ' · ▲ ' + each).join(''));
}

function summary() {
  let calls = 0;
  const states = {};
  for (const command of model.commands.values()) {
    calls += command.rates.calls;
    const state = model.states[command.state];
    states[state] = (states[state] || 0) + 1;
  }
  const parts = [count(model.commands.size) + ' commands', rate(calls) + ' calls/s'];
  for (const state of ['OPEN', 'HALF_OPEN', 'FORCED_OPEN', 'FORCED_CLOSED']) {
    if (states[state]) {
      parts.push(states[state] + ' ' + STATES[state][1]);
    }
  }
  say(byId('summary'), parts.join(' · '));
}

/** At most once a frame, and not at all while the tab is out of sight. */
function change() {
  if (!dirty) {
    return;
  }
  dirty = false;
  requestAnimationFrame(() => {
    dirty = true;
    summary();
    source();
    if (fleetPage) {
      return;
    }
    if (story) {
      story.draw();
    } else {
      select();
      lists[shown].table.show(ordered.items);
    }
  });
}

if (INSTANCE !== null) {
  const home = element('a', '', 'back');
  home.href = './#/fleet';
  byId('instance').append('▸ instance ' + INSTANCE + ', seen through this page · ', home);
  byId('instance').hidden = false;
}

let came = false, hadFleet = false;
follow(model, () => {
  if (!came || hadFleet !== model.fleet) {
    came = true;
    hadFleet = model.fleet;
    route(); // the address may name a command, and now they are known
  }
  change();
}, (state, words) => {
  const link = byId('link');
  if (link.dataset.state !== state || state === 'instance') {
    link.dataset.state = state;
    say(link, {instance: words + ', trying again', live: 'live', late: 'nothing was heard for some seconds', lost: 'connection lost, trying again',
      locked: 'not allowed (any more): log in, or open the address with its token again',
      full: 'as many pages are open as may be, trying again'}[state]);
  }
});

const again = () => { ordered = null; change(); };
filter.addEventListener('input', again);
only.addEventListener('change', again);
byId('search').addEventListener('submit', event => event.preventDefault());
window.addEventListener('hashchange', route);
document.addEventListener('keydown', event => {
  if (event.key === '/' && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
    event.preventDefault();
    if (story || fleetPage) { // nothing hidden can be focused, and the event of a new address comes later
      history.pushState(null, '', '#/commands');
      route();
    }
    filter.focus();
  } else if (event.key === 'Escape') {
    if (document.activeElement.closest('form.change')) {
      return; // what was typed would be lost
    }
    if (story || fleetPage) {
      location.hash = '#/commands';
    } else if (document.activeElement === filter && filter.value) {
      filter.value = '';
      again();
    }
  } else if (event.key === 'ArrowDown' && document.activeElement === filter) {
    event.preventDefault();
    lists[shown].table.focus(0);
  }
});
route();
