import { describe, expect, it } from 'vitest';
import { Text } from '../../src/platform/contract.ts';

describe('free text of a request', () => {
  it.each(['', 'BTCUSDT', 'Grüße', '😀', 'two\nlines'])('%j is taken as it is', (text) => {
    expect(Text.parse(text)).toBe(text);
  });

  it.each(['\0', 'a\0b', '\ud800', 'a\udc00', '\ud83d \ude00'])(
    '%j is refused: it cannot be stored unchanged',
    (text) => {
      const { error } = Text.min(1).max(64).safeParse(text);
      expect(error?.issues[0]?.message).toBe('must be text without NUL and without half characters');
    },
  );
});
