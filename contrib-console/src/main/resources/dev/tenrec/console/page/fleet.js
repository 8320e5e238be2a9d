// SPDX-License-Identifier: Apache-2.0
// A fleet: its settings, instances and history, and forms that change it. A reader that may change nothing sees no form.

import {element, say} from './table.js';
import {clock} from './words.js';

const EVERY = 2000;
const SPANS = [['', 'until it is changed'], ['60', 'for a minute'], ['600', 'for 10 minutes'], ['3600', 'for an hour'], ['86400', 'for a day']];

/** What is known of the fleet, for all parts of the page; asked for while one of them is in sight. */
export class Fleet {
  constructor() {
    this.seen = null;
    this.text = '';
    this.trouble = '';
    this.listeners = new Set();
    this.timer = 0;
  }

  /** As whom this page may change something; null if it may not. */
  get you() { return this.seen && this.seen.you; }
  get version() { return this.seen && this.seen.manifest ? this.seen.manifest.version : 0; }
  get members() { return (this.seen && this.seen.members) || []; }
  get canary() {
    const layer = this.layers.find(each => each.layer === 'canary');
    return layer && layer.document.canary ? layer.document : null;
  }
  get layers() { return (this.seen && this.seen.layers) || []; }

  /** Asks until it is told to stop; the listener hears of each answer. Returns what ends that. */
  follow(listener) {
    this.listeners.add(listener);
    if (this.listeners.size === 1) {
      this.ask();
    }
    return () => this.listeners.delete(listener);
  }

  async ask() {
    clearTimeout(this.timer);
    const ticket = this.ticket = {};
    if (!document.hidden) {
      try {
        const answer = await fetch('fleet');
        const text = await answer.text();
        if (this.ticket !== ticket) {
          return; // what was asked later may have been answered before
        }
        if (answer.ok) {
          this.text = text;
          this.seen = JSON.parse(this.text);
          this.trouble = this.seen.away ? 'the fleet’s store is not reached: ' + this.seen.away : '';
        } else {
          this.trouble = 'the server answers with ' + answer.status;
        }
      } catch (e) {
        if (this.ticket !== ticket) {
          return;
        }
        this.trouble = 'the server cannot be reached';
      }
    }
    try {
      if (!document.hidden) {
        this.listeners.forEach(listener => listener());
      }
    } finally { // whatever an answer does to a listener, there is a next one
      if (this.listeners.size > 0 && this.ticket === ticket) {
        this.timer = setTimeout(() => this.ask(), EVERY);
      }
    }
  }

  /** Sends a change. Resolves to {status, body}; status 0 if there was no answer. */
  async send(order) {
    try {
      const headers = {'Content-Type': 'application/json', 'Tenrec-Console': '1'};
      const token = /(?:^|;\s*)XSRF-TOKEN=([^;]*)/.exec(document.cookie); // a server may want its own beside
      if (token) {
        headers['X-XSRF-TOKEN'] = decodeURIComponent(token[1]);
      }
      const answer = await fetch('fleet', {method: 'POST', headers, body: JSON.stringify(order), redirect: 'error'});
      const text = await answer.text();
      let body = {error: text.trim()};
      try {
        body = JSON.parse(text);
      } catch (e) {
        // words
      }
      return {status: answer.status, body};
    } catch (e) {
      return {status: 0, body: {error: 'no answer: it may have been written; send it again, it is written once'}};
    } finally {
      this.ask();
    }
  }
}

/** So that a change that had no answer can be sent again. Not randomUUID, which plain HTTP to another machine lacks. */
function newId() {
  return 'page-' + [...crypto.getRandomValues(new Uint8Array(12))].map(each => each.toString(16).padStart(2, '0')).join('');
}

/** A setting's value, and for how long it counts. */
function words(setting) {
  return setting ? setting.value + (setting.forMillis ? ' for ' + setting.forMillis / 1000 + ' s' : '') : 'not set';
}

function field(form, label, input) {
  const made = element('label', '', label + ' ');
  made.append(input);
  form.append(made);
  return input;
}

function text(value, size) {
  const made = element('input');
  made.type = 'text';
  made.value = value;
  made.size = size;
  made.autocomplete = 'off';
  made.spellcheck = false;
  return made;
}

function number(value, least, most) {
  const made = element('input');
  made.type = 'number';
  made.value = value;
  made.min = least;
  made.max = most;
  return made;
}

function choice(options) {
  const made = element('select');
  for (const [value, title] of options) {
    const option = element('option', '', title);
    option.value = value;
    made.append(option);
  }
  return made;
}

export function button(title, onClick, className) {
  const made = element('button', className || '', title);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}

/** A form that stands open until it is closed; one at a time. */
export class Form {
  /** @param place what it is shown in */
  constructor(fleet, place) {
    this.fleet = fleet;
    this.place = place;
    this.end = null;
  }

  close() {
    if (this.end) {
      this.end();
      this.end = null;
    }
    this.place.replaceChildren();
  }

  /**
   * Has settings changed.
   * @param settings pairs of a full key and its value; a single one may be edited
   * @param options {layer, from}: where it begins; and which other instance says so, if one does: then a dry run comes first
   */
  set(title, settings, options = {}) {
    const form = this.begin(title);
    if (options.from) {
      form.append(element('p', 'warn', '▲ These values come from instance ' + options.from + '. Read what they would do, by a dry run; then they can be written.'));
    }
    const inputs = settings.map(([key, value]) => {
      const line = element('div', 'line');
      const name = field(line, 'Property', text(key, 70));
      const what = field(line, 'Value', text(value, 16));
      if (settings.length > 1) {
        name.readOnly = true;
      }
      form.append(line);
      return [name, what];
    });
    const line = element('div', 'line');
    form.append(line);
    const zones = [...new Set(this.fleet.members.map(each => each.zone).filter(Boolean))].sort();
    const where = field(line, 'Where', choice([
      ['new', 'try it on some instances'], ['fleet', 'all instances'],
      ...(this.fleet.canary ? [['canary', 'the canary that is running']] : []),
      ...zones.map(each => ['zone/' + each, 'zone ' + each]),
      ...this.fleet.members.map(each => ['instance/' + each.id, 'instance ' + each.id])]));
    where.name = 'where';
    where.value = options.layer || 'fleet';
    if (!where.value) { // of an instance, or a zone, that is not there now
      const gone = element('option', '', options.layer);
      gone.value = options.layer;
      where.append(gone);
      where.value = options.layer;
    }
    const span = field(line, 'How long', choice(SPANS));
    span.name = 'span';
    const trying = element('div', 'line');
    form.append(trying);
    const share = field(trying, 'Share of instances, %', number('5', 0, 100));
    const members = field(trying, 'and these, by commas', text('', 20));
    const lasts = field(trying, 'Minutes', number('30', 1, 100000));
    const errors = field(trying, 'leave above errors, %', number('', 0, 100));
    const calls = field(trying, 'of so many calls', number('100', 1, 1e9));
    share.name = 'share';
    members.name = 'members';
    errors.name = 'errors';
    const show = () => { trying.hidden = where.value !== 'new'; };
    where.addEventListener('change', show);
    show();
    const order = () => {
      const made = {layer: where.value === 'new' ? 'canary' : where.value, set: {}};
      inputs.forEach(([name, what]) => { made.set[name.value.trim()] = what.value.trim(); });
      if (span.value) {
        made.forSeconds = Number(span.value);
      }
      if (where.value === 'new') {
        Object.assign(made, {share: Number(share.value), lastsSeconds: Number(lasts.value) * 60, members: members.value.split(',').map(each => each.trim()).filter(Boolean)});
        if (errors.value !== '') {
          made.guard = {leastCalls: Number(calls.value), errorPercent: Number(errors.value)};
        }
      }
      return [where.value === 'new' ? 'canary' : 'set', made];
    };
    this.finish(form, order, true, Boolean(options.from));
    inputs[0][1].focus();
  }

  /** Has one thing done, for a reason. */
  act(title, action, more = {}) {
    const form = this.begin(title);
    this.finish(form, () => [action, more], false);
  }

  begin(title) {
    this.close();
    const form = element('form', 'change');
    form.append(element('h3', '', title));
    this.place.append(form);
    return form;
  }

  finish(form, order, canTry, mustTry = false) {
    const line = element('div', 'line');
    form.append(line);
    const reason = field(line, 'Reason', text('', 50));
    reason.name = 'reason';
    reason.required = true;
    const write = element('button', 'strong', 'Write');
    write.disabled = mustTry;
    const said = element('pre');
    said.setAttribute('role', 'status');
    const ids = new Map(); // the same order has the same id until it is known to be written, and another order another
    const idOf = each => {
      const json = JSON.stringify(each);
      ids.set(json, ids.get(json) || newId());
      return ids.get(json);
    };
    let version = this.fleet.version;
    let written = 0;
    let busy = false;
    const send = async (action, then) => {
      if (busy || !form.reportValidity()) {
        return;
      }
      busy = true;
      say(said, '…');
      const [own, more] = order();
      const base = action === 'dry-run' || own === 'set' || own === 'canary' ? {expect: version} : {};
      const made = {action: action || own, reason: reason.value.trim(), ...more};
      const {status, body} = await this.fleet.send({...made, id: idOf(made), ...base});
      busy = false;
      if (status === 200) {
        then(body);
      } else {
        say(said, '▲ ' + (body.error || 'the server answers with ' + status));
        if (status === 409) {
          version = this.fleet.version; // what is there now was not seen: the next time it is
        }
      }
    };
    if (canTry) {
      line.append(button('Dry run', () => send('dry-run', body => {
        version = body.baseVersion;
        write.disabled = written > 0;
        say(said, ['on version ' + body.baseVersion + ':', ...body.effects, ...body.refused.map(each => '▲ refused ' + each.key + ': ' + each.rule)].join('\n'));
      })));
    }
    line.append(write, button('Close', () => this.close()));
    form.append(said);
    const progress = () => {
      if (written) {
        const members = this.fleet.members;
        const behind = members.filter(each => each.version < written);
        say(said, 'version ' + written + ' is written; ' + (members.length - behind.length) + ' of ' + members.length + ' instances go by it'
          + (behind.length ? ', not yet: ' + behind.map(each => each.id).join(', ') : ''));
      }
    };
    this.end = this.fleet.follow(progress);
    form.addEventListener('submit', event => {
      event.preventDefault();
      send('', body => {
        written = body.version;
        write.disabled = true;
        progress();
      });
    });
  }
}

/** The tab of the fleet. */
export class FleetPage {
  constructor(root, fleet, model) {
    this.root = root;
    this.fleet = fleet;
    this.model = model;
    this.drawn = '';
    root.replaceChildren();
    this.title = element('h2', '', 'Fleet');
    this.title.tabIndex = -1;
    this.trouble = element('p', 'bad');
    this.trouble.setAttribute('role', 'status');
    this.head = element('p');
    this.actions = element('p', 'line');
    const place = element('div');
    this.form = new Form(fleet, place);
    this.canary = element('div');
    this.members = element('table');
    this.settings = element('table');
    this.history = element('table');
    root.append(this.title, this.trouble, this.head, this.actions, place, this.canary,
      part('Instances', this.members), part('Settings', this.settings), part('History', this.history));
    this.stop = fleet.follow(() => this.draw());
    this.draw();
  }

  close() {
    this.form.close();
    this.stop();
    this.root.replaceChildren();
  }

  draw() {
    const {fleet} = this;
    say(this.trouble, [
      fleet.trouble && '▲ ' + fleet.trouble + (fleet.seen && fleet.seen.manifest ? '' : '. Instances keep their settings.'),
      ...((fleet.seen && fleet.seen.misfits) || []).map(each => '▲ ' + each + '; instances that read it take no change until it is mended.'),
    ].filter(Boolean).join(' '));
    if (!fleet.seen || !fleet.seen.manifest || this.drawn === fleet.text) {
      return;
    }
    this.drawn = fleet.text;
    const {manifest, history, you} = fleet.seen;
    say(this.head, manifest.version === 0 ? 'Nothing was ever set.'
      : 'Version ' + manifest.version + ' by ' + manifest.author + ': ' + manifest.reason
        + (manifest.frozen ? ' · FROZEN: ' + manifest.frozen : ''));
    this.actions.replaceChildren(...(you ? [
      element('span', 'faint', 'You are ' + you + '.'),
      button('Set a property', () => this.form.set('Set a property', [[fleet.seen.prefix + '.command.', '']])),
      manifest.frozen ? button('Thaw', () => this.form.act('Let settings be changed again', 'thaw'))
        : button('Freeze', () => this.form.act('Have every change refused', 'freeze')),
    ] : [element('span', 'faint', 'You may look only. To change something, open the address with an operator\u2019s token.')]));
    this.drawCanary(you);
    this.drawMembers(manifest);
    this.drawSettings(you, history);
    rows(this.history, ['version', 'when', 'what', 'by', 'why', 'changes', ''], history.map(each => [
      String(each.version), each.whenMillis ? new Date(each.whenMillis).toLocaleString() : '', each.kind, each.author, each.reason,
      each.differences.map(one => one.layer + ' ' + one.key + ': ' + words(one.before) + ' → ' + words(one.after)).join('\n'),
      you && canBeUndone(each)
        ? button('Undo', () => this.form.act('Take version ' + each.version + ' back', 'undo', {version: each.version})) : '']));
  }

  drawCanary(you) {
    const {canary, members} = this.fleet;
    if (!canary) {
      this.canary.replaceChildren();
      return;
    }
    const {id, members: named, sharePercent, forMillis, guard} = canary.canary;
    const box = element('section', 'canary');
    box.append(element('h3', '', 'Canary ' + id));
    box.append(element('p', '', Object.entries(canary.settings).map(([key, setting]) => key + ' = ' + words(setting)).join('\n')));
    const limits = guard ? [guard.errorPercent === undefined ? '' : 'errors above ' + guard.errorPercent + ' %',
      guard.refusedPercent === undefined ? '' : 'refusals above ' + guard.refusedPercent + ' %',
      guard.p99Millis === undefined ? '' : 'p99 above ' + guard.p99Millis + ' ms'].filter(Boolean).join(', ') + ' of ' + guard.leastCalls + ' calls' : 'nothing';
    const isIn = members.filter(each => each.canary === 'in ' + id).map(each => each.id);
    const left = members.filter(each => each.canary && each.canary.startsWith('left ' + id)).map(each => each.id + ' ' + each.canary);
    box.append(element('p', '', sharePercent + ' % of the instances' + (named.length ? ' and ' + named.join(', ') : '') + ', for ' + Math.round(forMillis / 60000)
      + ' min; members leave at ' + limits + '. In: ' + (isIn.join(', ') || 'none') + (left.length ? '. ' + left.join('; ') : '')));
    if (you) {
      box.append(button('Promote', () => this.form.act('Make canary ' + id + ' the fleet’s', 'promote'), 'strong'), ' ',
        button('Roll back', () => this.form.act('End canary ' + id, 'rollback')));
    }
    this.canary.replaceChildren(box);
  }

  drawMembers(manifest) {
    rows(this.members, ['instance', 'zone', 'goes by', 'circuits that refuse', 'canary', 'settings', 'look at'], this.fleet.members.map(each => [
      this.member(each), each.zone || '',
      each.version >= manifest.version ? 'version ' + each.version : '▲ version ' + each.version,
      each.refusing.length ? '■ ' + each.refusing.join(', ') : '● none',
      each.canary || '', each.settings,
      [each.alarm ? '▲ ' + each.alarm : '', ...each.refused.map(one => '▲ refused ' + one.key + ': ' + one.rule),
        ...each.masked.map(one => one.key + ' is beaten by ' + one.by)].filter(Boolean).join('\n')]));
  }

  /** Its id, which leads to its own page where that can be shown here. */
  member(each) {
    const opens = this.fleet.seen.opens && each.console;
    const cell = element('span', '', this.model.source && this.model.source.instance === each.id ? '▸ ' : '');
    const name = element(opens ? 'a' : 'span', '', each.id);
    if (opens) {
      name.href = '?instance=' + encodeURIComponent(each.id) + '#/commands';
      name.title = 'What ' + each.id + ' is doing';
    }
    cell.append(name);
    return cell;
  }

  drawSettings(you, history) {
    const ends = setting => {
      const change = history.find(each => each.version === setting.version);
      const start = setting.startMillis || (change ? change.whenMillis : 0);
      return !setting.forMillis ? '' : start ? 'until ' + clock(start + setting.forMillis) : 'for ' + setting.forMillis / 1000 + ' s';
    };
    const lines = [];
    for (const {layer, document} of this.fleet.layers) {
      for (const [key, setting] of Object.entries(document.settings).sort(([a], [b]) => (a < b ? -1 : 1))) {
        const cell = element('span', 'line');
        if (you) {
          cell.append(button('Change', () => this.form.set('Change ' + key, [[key, setting.value]], {layer})),
            button('Clear', () => this.form.act('Take ' + key + ' out of ' + layer, 'set', {layer, clear: [key]})));
        }
        lines.push([layer, key, setting.value, ends(setting), setting.version ? 'version ' + setting.version + ' by ' + setting.author : '', cell]);
      }
    }
    rows(this.settings, ['layer', 'property', 'value', 'ends', 'set by', ''], lines);
  }
}

/** What concerned the canary is rolled back instead; of a promotion, what it made the fleet's is undone. */
function canBeUndone({kind, differences}) {
  const ofTheCanary = differences.filter(each => each.layer === 'canary').length;
  return differences.length > ofTheCanary && (kind === 'promote' || ofTheCanary === 0);
}

function part(title, table) {
  const made = element('section');
  const scroll = element('div', 'scroll');
  scroll.tabIndex = 0;
  scroll.append(table);
  made.append(element('h3', '', title), scroll);
  return made;
}

/** Cells are texts or elements; a text gets in as text, never as markup. */
function rows(table, heads, lines) {
  const head = element('tr');
  heads.forEach(title => {
    const cell = element('th', '', title);
    cell.scope = 'col';
    head.append(cell);
  });
  table.replaceChildren(head, ...lines.map(line => {
    const made = element('tr');
    for (const value of line) {
      const cell = element('td');
      cell.append(value);
      made.append(cell);
    }
    return made;
  }));
}
