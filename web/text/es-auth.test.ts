import { expect, test } from 'vitest';
import { waitText } from './es-auth.ts';
import { formatTime } from './format.ts';

/** In the machine's local time, because the test may run in any time zone. */
const at = (hour: number, minute: number, second = 0) => new Date(2026, 10, 22, hour, minute, second);

test.each([
  ['the minute in which the wait ends is rounded up', 91, at(12, 43, 30), '12:46'],
  ['a whole minute stays', 120, at(12, 43), '12:45'],
  ['one second', 1, at(12, 44, 59), '12:45'],
  ['after midnight', 600, at(23, 55), '00:05'],
])(
  'after too many attempts the text contains the time of the next attempt: %s',
  (_case, seconds, now, time) => {
    expect(waitText(seconds, now)).toBe(`Podrás intentar de nuevo a las ${time}.`);
  },
);

test("a time at one o'clock is in the singular", () => {
  expect(waitText(60, at(0, 59))).toBe('Podrás intentar de nuevo a la 01:00.');
  expect(waitText(60, at(12, 59))).toBe('Podrás intentar de nuevo a las 13:00.');
  expect(formatTime(at(1, 0))).toBe('01:00');
});
