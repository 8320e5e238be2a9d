// SPDX-License-Identifier: Apache-2.0
// Figures as texts.

/** Each state has a sign of its own, so that none is told by colour alone. */
export const STATES = {
  CLOSED: ['●', 'closed', 'good'], OPEN: ['■', 'OPEN', 'bad'], HALF_OPEN: ['◐', 'half-open', 'warn'],
  FORCED_OPEN: ['▣', 'FORCED OPEN', 'bad'], FORCED_CLOSED: ['◉', 'forced closed', 'warn'], DISABLED: ['○', 'off', 'faint'],
};

export function rate(perSecond) {
  if (perSecond === 0) {
    return '0';
  }
  return perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond));
}

const GROUPED = new Intl.NumberFormat('en'); // made once: toLocaleString makes one for each number

export function count(number) {
  return GROUPED.format(number);
}

/** Of microseconds. */
export function micros(value) {
  return value ? nanos(value * 1000) : '–';
}

export function nanos(value) {
  if (value >= 1e9) {
    return short(value / 1e9) + ' s';
  }
  return value >= 1e6 ? short(value / 1e6) + ' ms' : short(value / 1e3) + ' µs';
}

function short(value) {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(2)));
}

const CLOCK = new Intl.DateTimeFormat([], {hour: '2-digit', minute: '2-digit', second: '2-digit'});

export function clock(millis) {
  return CLOCK.format(millis);
}

/** How long until, in seconds; what is over says so. */
export function left(until, now) {
  const seconds = (until - now) / 1000;
  return seconds <= 0 ? 'tries with the next call' : 'tries in ' + (seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)) + ' s';
}

/** A circuit's reason and time left, in one line. */
export function because(command, states, now) {
  const parts = [];
  if (states[command.state] === 'OPEN' && command.trialAt) {
    parts.push(left(command.trialAt, now));
  }
  if (command.why) {
    parts.push((command.why.since ? clock(command.why.since) + ' ' : '') + command.why.text);
  }
  return parts.join(' · ');
}
