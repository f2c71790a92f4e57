import type { VoteId } from '@sextant/workers/src/wire/defaults.ts';
import type { Definition } from '../../../ui/Hint.tsx';

const titles: Record<VoteId, string> = {
  rsi: 'RSI',
  macd: 'MACD',
  boll: 'Bollinger',
  adx: 'ADX',
  supertrend: 'Supertrend',
  vwap: 'VWAP',
  mfi: 'MFI',
  obv: 'OBV',
  cci: 'CCI',
  donchian: 'Donchian',
  ichimoku: 'Ichimoku',
  stochrsi: 'StochRSI',
  fib: 'Fibonacci',
};

export function voteDefinition(id: VoteId): Definition {
  return { name: titles[id], meaning: titles[id] };
}

export const parameterDefinitions = {
  entryThreshold: {
    name: 'Entry threshold',
    meaning:
      'The score is the weighted mean of the votes, from -1 (all short) to 1 (all long). A trade opens when its size reaches the threshold. Starts at 0.08; an edit holds it to 0.1 to 1.',
    formula: '|score| >= threshold',
  },
  stopLoss: {
    name: 'Stop loss',
    meaning: 'Distance of the stop from the entry price, 0.1 to 10 %, default 2 %. Live from the moment of the fill.',
    example: 'A long at 100 with 2 % is stopped at 98.',
  },
  takeProfit: {
    name: 'Take profit',
    meaning: 'Distance of the target from the entry price, 0.1 to 20 %, default 4 %.',
    example: 'A long at 100 with 4 % takes its profit at 104.',
  },
  trailing: {
    name: 'Trailing stop',
    meaning: 'Moves the stop behind the best price since the entry, never back. Off by default.',
  },
  callback: {
    name: 'Trail callback',
    meaning: 'Distance of the trailing stop from the best price, at least 0.1 %, default 0.5 %.',
  },
  trailStep: {
    name: 'Trail step',
    meaning:
      'The stop moves only when it can move by at least this share of the entry price, at least 0.05 %, default 0.25 %.',
  },
} as const satisfies Record<string, Definition>;
