import { describe, expect, it } from 'vitest';
import { countdownText, secondsLeft } from '../../../src/features/funds/fundsState.ts';

const term = { created_at: '2026-11-22T12:00:00.400Z', expires_at: '2026-11-22T12:15:00.400Z' };
const at = (text: string) => Date.parse(`2026-11-22T${text}Z`);

describe('the countdown of an invoice', () => {
  it.each([
    ['12:00:00.400', 900],
    // A clock behind that of the server does not lengthen the term.
    ['11:59:59.900', 900],
    ['12:00:00.401', 900],
    ['12:00:01.400', 899],
    ['12:14:59.401', 1],
    ['12:15:00.400', 0],
    ['13:00:00.000', 0],
  ])('FUND-019 at %s has %i s left', (now, seconds) => expect(secondsLeft(term, at(now))).toBe(seconds));

  it.each([
    [900, '15:00'],
    [61, '01:01'],
    [9, '00:09'],
    [0, '00:00'],
    [3600, '1:00:00'],
    [86_399, '23:59:59'],
  ])('FUND-019 writes %i s as %s', (seconds, text) => expect(countdownText(seconds)).toBe(text));
});
