import { expect, it } from 'vitest';
import { rulesText } from '../../../src/features/orders/ticket/TicketFigures.tsx';

const contract = { tickSize: 0.1, stepSize: 0.0001, decimals: 1, base: 'BTC', leverageMax: 125, notionalMin: 5 };

it('DESK-186 the rules of a contract in words; those that the exchange does not publish are left out', () => {
  expect(rulesText(contract)).toBe(
    'Contract: tick 0.1, step 0.0001\u00a0BTC, least 5\u00a0USDT, at most 125x, less for large sizes.',
  );
  expect(rulesText({ ...contract, leverageMax: null, notionalMin: null })).toBe(
    'Contract: tick 0.1, step 0.0001\u00a0BTC.',
  );
  expect(rulesText({ ...contract, tickSize: 0 })).toBeNull();
});
