import { expect, it } from 'vitest';
import { emptyScanText } from '../../../src/features/signals/scan/emptyScan.ts';

it.each([
  [{ NEUTRAL: 3, NOT_WHITELISTED: 131 }, 'No symbol has a signal now. Scan again after the next close.'],
  [{ NEUTRAL: 3, 'LOW_CONF:min_confidence': 1 }, 'No symbol reached your minimum confidence.'],
  [{ LOW_CONF: 2 }, 'No symbol reached your minimum confidence.'],
])('RULE-212 an empty scan with %j says %s', (outcomes, text) => {
  expect(emptyScanText(outcomes)).toBe(text);
});
