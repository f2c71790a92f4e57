import { expect, it } from 'vitest';
import { openedText } from '../../../src/app/shell/FirstOpeningBanner.tsx';
import type { AutoRun } from '../../../src/api/types.ts';

const itemOf = (position_id: string | null) => ({ position_id }) as AutoRun['items'][number];
const atRisk = (id: string, symbol: string, lossAtStop: number) => ({ id, symbol, side: 'LONG' as const, lossAtStop });

it('the line about the first openings names them and what their stops would lose', () => {
  const run = { opened: 2, items: [itemOf('a'), itemOf(null), itemOf('b')] };
  const start = 'positions were opened automatically after your scan, with simulated money';
  expect(
    openedText(run, [atRisk('b', 'MKRUSDT', 9.99), atRisk('x', 'OWNUSDT', 50), atRisk('a', 'BTCUSDT', 10.02)]),
  ).toBe(`2 ${start}: LONG MKRUSDT, LONG BTCUSDT. At their stops 20.01 USDT would be lost.`);
  expect(openedText(run, [atRisk('b', 'MKRUSDT', 9.99)])).toBe(
    `2 ${start}: LONG MKRUSDT. At its stop 9.99 USDT would be lost.`,
  );
  expect(openedText(run, [])).toBe(`2 ${start}.`);
});
