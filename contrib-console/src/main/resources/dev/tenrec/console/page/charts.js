// SPDX-License-Identifier: Apache-2.0
// Drawings on canvas. The axis is the server's time, so a tab that slept has a gap, and no line through it.

import {clock} from './words.js';

let colours = {};

/** As the style sheet has them now. */
function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ['back', 'front', 'faint', 'line', 'soft', 'good', 'bad', 'warn', 'p50', 'p99', 'other']) {
    colours[name] = style.getPropertyValue('--' + name).trim();
  }
}
readColours();
const darkness = matchMedia('(prefers-color-scheme: dark)');
darkness.addEventListener('change', readColours);

/** The canvas at its size on this screen, empty; null if it has none. */
function sheet(canvas, width, height) {
  const density = window.devicePixelRatio || 1;
  if (width === 0 || height === 0) {
    return null;
  }
  const wide = Math.round(width * density), high = Math.round(height * density);
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  const pen = canvas.getContext('2d');
  pen.setTransform(density, 0, 0, density, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

/** A line of one value over the last minutes, without axes. */
export function spark(canvas, width, height, model, values, colour, span) {
  const pen = sheet(canvas, width, height);
  if (!pen) {
    return;
  }
  let top = 0;
  model.eachColumn((t, at) => { top = values[at] > top ? values[at] : top; });
  if (top === 0) {
    return;
  }
  pen.strokeStyle = colours[colour];
  pen.lineWidth = 1.2;
  pen.beginPath();
  let drawn = false;
  model.eachColumn((t, at, before) => {
    const value = values[at];
    if (Number.isNaN(value)) {
      drawn = false;
      return;
    }
    const x = width * (1 - (model.now - t) / span);
    const y = height - 1 - (height - 2) * value / top;
    if (drawn && before >= 0) {
      pen.lineTo(x, y);
    } else {
      pen.moveTo(x, y);
    }
    drawn = true;
  });
  pen.stroke();
}

const LEFT = 56, BOTTOM = 18, TOP = 6, RIGHT = 8;

function axes(pen, width, height, now, span, ticks, label) {
  pen.font = '11px system-ui, sans-serif';
  pen.fillStyle = colours.faint;
  pen.strokeStyle = colours.line;
  pen.lineWidth = 1;
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  for (const [y, value] of ticks) {
    pen.beginPath();
    pen.moveTo(LEFT, y);
    pen.lineTo(width - RIGHT, y);
    pen.stroke();
    pen.fillText(label(value), LEFT - 6, y);
  }
  pen.textAlign = 'center';
  pen.textBaseline = 'alphabetic';
  const step = span > 120000 ? 60000 : 15000;
  for (let t = Math.ceil((now - span) / step) * step; t <= now; t += step) {
    const x = across(t, now, span, width);
    const text = clock(t);
    if (x > LEFT + 25 && x < width - RIGHT - 25) {
      pen.fillText(text, x, height - 4);
    }
  }
}

function across(t, now, span, width) {
  return LEFT + (width - LEFT - RIGHT) * (1 - (now - t) / span);
}

/** Lines {points: [[t, value] or null for a gap], colour, dash} over a time that ends now. */
export function lines(canvas, now, span, all, label) {
  const width = canvas.clientWidth, height = canvas.clientHeight;
  const pen = sheet(canvas, width, height);
  if (!pen || Number.isNaN(now)) {
    return;
  }
  let most = 0;
  for (const line of all) {
    for (const point of line.points) {
      most = point && point[1] > most ? point[1] : most;
    }
  }
  const top = round(most || 1);
  const down = value => height - BOTTOM - (height - BOTTOM - TOP) * value / top;
  axes(pen, width, height, now, span, [0, 0.5, 1].map(part => [down(top * part), top * part]), label);
  for (const line of all) {
    pen.strokeStyle = colours[line.colour];
    pen.lineWidth = 1.6;
    pen.setLineDash(line.dash || []);
    pen.beginPath();
    let drawn = false;
    for (const point of line.points) {
      if (point === null) {
        drawn = false;
      } else if (point[0] >= now - span) {
        const x = across(point[0], now, span, width);
        if (drawn) {
          pen.lineTo(x, down(point[1]));
        } else {
          pen.moveTo(x, down(point[1]));
          pen.lineTo(x + 1, down(point[1]));
        }
        drawn = true;
      }
    }
    pen.stroke();
  }
  pen.setLineDash([]);
}

function round(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map(each => each * power).find(each => each >= value);
}

const LOWEST = 1e4, HIGHEST = 1e11; // 10 µs to 100 s, in nanoseconds
const DECADES = Math.log10(HIGHEST / LOWEST);
const BANDS = 70;

/** Which band of the heat map a latency falls into. */
export function band(nanos) {
  return Math.max(0, Math.min(BANDS - 1, Math.floor(BANDS * Math.log10(Math.max(nanos, LOWEST) / LOWEST) / DECADES)));
}

/** Columns {from, to, bands: Map band -> count, p50, p99} over a time that ends now. */
export function heat(canvas, now, span, columns, label) {
  const width = canvas.clientWidth, height = canvas.clientHeight;
  const pen = sheet(canvas, width, height);
  if (!pen || Number.isNaN(now)) {
    return;
  }
  const full = height - BOTTOM - TOP;
  const seen = columns.filter(column => column.to >= now - span);
  const bands = seen.flatMap(column => [...column.bands.keys()]);
  const low = bands.length ? Math.max(0, Math.min(...new Set(bands)) - 4) : 0;
  const high = bands.length ? Math.min(BANDS, Math.max(...new Set(bands)) + 5) : BANDS;
  const down = place => height - BOTTOM - full * (place - low) / (high - low);
  let most = 1;
  for (const column of seen) {
    for (const count of column.bands.values()) {
      most = Math.max(most, count);
    }
  }
  for (const column of seen) {
    const x = Math.max(LEFT, across(column.from, now, span, width));
    const wide = Math.max(1, across(column.to, now, span, width) - x + 0.5);
    for (const [at, count] of column.bands) {
      pen.fillStyle = shade(Math.sqrt(count / most));
      pen.fillRect(x, down(at + 1), wide, full / (high - low) + 0.5);
    }
  }
  const place = nanos => BANDS * Math.log10(nanos / LOWEST) / DECADES;
  const ticks = [];
  for (let nanos = LOWEST; nanos <= HIGHEST; nanos *= 10) {
    for (const part of [1, 3]) {
      if (place(nanos * part) >= low && place(nanos * part) <= high) {
        ticks.push([down(place(nanos * part)), nanos * part]);
      }
    }
  }
  axes(pen, width, height, now, span, ticks, label);
  for (const [which, colour, dash] of [['p50', 'p50', [4, 3]], ['p99', 'p99', []]]) {
    pen.strokeStyle = colours[colour];
    pen.lineWidth = 1.5;
    pen.setLineDash(dash);
    pen.beginPath();
    let before = null;
    for (const column of seen) {
      const x = across((column.from + column.to) / 2, now, span, width);
      const y = down(place(Math.max(column[which], LOWEST)));
      if (x >= LEFT) {
        if (before !== null && column.from - before < 3000) {
          pen.lineTo(x, y);
        } else {
          pen.moveTo(x, y);
        }
        before = column.to;
      }
    }
    pen.save(); // between the line and cells of any shade
    pen.strokeStyle = colours.back;
    pen.lineWidth = 3.5;
    pen.stroke();
    pen.restore();
    pen.stroke();
  }
  pen.setLineDash([]);
}

/** One hue whose lightness grows evenly, so that it reads without colours as well. */
function shade(part) {
  const light = darkness.matches ? 16 + 64 * part : 92 - 62 * part;
  return 'hsl(205 ' + (30 + 30 * part) + '% ' + light + '%)';
}
