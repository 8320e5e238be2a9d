// SPDX-License-Identifier: Apache-2.0
// A table of any length: only the rows in sight exist. Text gets in as text, never as markup.

const ROW = 40;
const BEYOND = 6; // rows kept above and below what is in sight
const STEP = 8; // and moved at once: between, scrolling changes nothing of the page

export function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) {
    made.className = className;
  }
  if (text !== undefined) {
    made.textContent = text;
  }
  return made;
}

/** Sets a text if it is another one: an unchanged table costs no layout. */
export function say(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

/**
 * Of columns {title, size, number, wide, value(item), make(cell), show(cell, item)}: value sorts; make
 * builds a cell once, show fills it again and again.
 */
export class Table {
  constructor(label, columns, {open, sort} = {}) {
    this.columns = columns;
    this.open = open;
    this.items = [];
    this.rows = [];
    this.version = 0; // of the items' figures
    this.current = 0;
    this.sorted = sort || {column: -1, down: true};
    this.root = element('div', 'grid');
    this.root.setAttribute('role', 'table');
    this.root.setAttribute('aria-label', label);
    this.heads = element('div', 'heads');
    this.heads.setAttribute('role', 'row');
    this.view = element('div', 'view');
    this.view.setAttribute('role', 'rowgroup');
    this.space = element('div', 'space');
    this.space.setAttribute('role', 'presentation');
    this.view.append(this.space);
    this.root.append(this.heads, this.view);
    this.titles = columns.map((column, i) => this.title(column, i));
    this.view.addEventListener('scroll', () => this.draw(), {passive: true});
    this.view.addEventListener('keydown', event => this.key(event));
    // the style sheet says which of the two holds: a script would hear of a narrower screen only after it was laid out
    this.root.style.setProperty('--all-columns', sizes(columns));
    this.root.style.setProperty('--few-columns', sizes(columns.filter(column => !column.wide)));
    new ResizeObserver(() => this.draw()).observe(this.view);
    this.mark();
  }

  title(column, i) {
    const head = element('div', kind(column));
    head.setAttribute('role', 'columnheader');
    const button = element('button', kind(column), column.title);
    button.type = 'button';
    button.title = column.help || '';
    button.addEventListener('click', () => {
      const down = this.sorted.column === i ? !this.sorted.down : column.number !== false;
      this.sorted = {column: i, down};
      this.mark();
      this.onSort();
    });
    head.append(button);
    this.heads.append(head);
    return head;
  }

  onSort() {}

  mark() {
    this.titles.forEach((head, i) => {
      const here = this.sorted.column === i;
      head.setAttribute('aria-sort', here ? (this.sorted.down ? 'descending' : 'ascending') : 'none');
      say(head.firstChild, this.columns[i].title + (here ? (this.sorted.down ? ' ▾' : ' ▴') : ''));
    });
  }

  order(items) {
    const column = this.columns[this.sorted.column];
    if (!column) {
      return items;
    }
    const sign = this.sorted.down ? -1 : 1;
    return items
      .map(item => [column.value(item), item])
      .sort(([a, one], [b, two]) => sign * compare(a, b) || compare(one.search, two.search) || one.id - two.id)
      .map(([, item]) => item);
  }

  show(items) {
    this.version++;
    this.items = items;
    this.root.setAttribute('aria-rowcount', String(items.length + 1));
    const height = items.length * ROW + 'px';
    if (this.space.style.height !== height) {
      this.space.style.height = height;
    }
    this.current = Math.max(0, Math.min(this.current, items.length - 1));
    this.draw();
  }

  draw() {
    const step = Math.floor(this.view.scrollTop / ROW / STEP) * STEP;
    const first = Math.max(0, step - BEYOND);
    const count = Math.min(this.items.length - first, Math.ceil(this.view.clientHeight / ROW) + STEP + 2 * BEYOND);
    while (this.rows.length < count) {
      this.rows.push(this.make());
    }
    this.rows.forEach((row, i) => {
      // a row keeps its item's place: scrolling by one moves one row, not all
      const index = first + ((i - (first % this.rows.length) + this.rows.length) % this.rows.length);
      const item = index < first + count ? this.items[index] : undefined;
      row.node.hidden = item === undefined;
      if (item !== undefined) {
        this.fill(row, item, index);
      }
    });
  }

  make() {
    const node = element('div', this.open ? 'row opens' : 'row');
    node.setAttribute('role', 'row');
    const row = {node, index: -1, item: null};
    row.cells = this.columns.map(column => {
      const cell = element('div', kind(column));
      cell.setAttribute('role', 'cell');
      if (column.make) {
        column.make(cell);
      }
      node.append(cell);
      return cell;
    });
    node.addEventListener('click', () => {
      if (this.open && row.item) {
        this.open(row.item);
      }
    });
    node.addEventListener('focus', () => { this.current = row.index; });
    this.space.append(node);
    return row;
  }

  fill(row, item, index) {
    if (row.index !== index) {
      row.index = index;
      row.node.style.transform = 'translateY(' + index * ROW + 'px)';
      row.node.setAttribute('aria-rowindex', String(index + 2));
    }
    const stop = index === this.current ? 0 : -1;
    if (row.node.tabIndex !== stop) {
      row.node.tabIndex = stop;
    }
    if (row.item === item && row.version === this.version) {
      return; // only scrolled
    }
    row.item = item;
    row.version = this.version;
    this.columns.forEach((column, i) => {
      if (column.show) {
        column.show(row.cells[i], item);
      } else {
        say(row.cells[i], String(column.value(item)));
      }
    });
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.view.clientHeight / ROW) - 1);
    const last = this.items.length - 1;
    const to = {
      ArrowDown: this.current + 1, ArrowUp: this.current - 1, PageDown: this.current + page,
      PageUp: this.current - page, Home: 0, End: last,
    }[event.key];
    if (event.key === 'Enter' && this.open && this.items[this.current]) {
      this.open(this.items[this.current]);
    } else if (to === undefined) {
      return;
    } else {
      this.focus(Math.max(0, Math.min(last, to)));
    }
    event.preventDefault();
  }

  focus(index) {
    this.current = index;
    const top = index * ROW;
    if (top < this.view.scrollTop) {
      this.view.scrollTop = top;
    } else if (top + ROW > this.view.scrollTop + this.view.clientHeight) {
      this.view.scrollTop = top + ROW - this.view.clientHeight;
    }
    this.draw();
    const row = this.rows.find(each => each.index === index && !each.node.hidden);
    if (row) {
      row.node.focus({preventScroll: true});
    }
  }
}

function sizes(columns) {
  return columns.map(column => column.size).join(' ');
}

function kind(column) {
  return (column.number ? 'number' : '') + (column.wide ? ' wide' : '');
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
