import type { BacktestResult } from '@sextant/workers/src/protocol/backtest.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { enginePool } from '../../../engine/enginePool.ts';
import { honestyLevelNames } from '../../../format/honesty.ts';
import { formatCount, formatMany, formatPercent } from '../../../format/number.ts';
import { readSaved, save } from '../../../state/storage.ts';
import { ErrorState } from '../../../ui/Panel.tsx';
import { type Holding, judgePractice } from './practice.ts';

interface Props {
  result: BacktestResult;
  symbol: string;
  /** Length of a candle. */
  barMs: number;
  holdings: readonly Holding[];
}

const keyOf = (symbol: string): string => `practised.${symbol}`;

/** Practices judged before on a symbol in this browser. */
function readEarlier(symbol: string): number {
  const count = Number(readSaved(keyOf(symbol)));
  return Number.isInteger(count) && count > 0 ? count : 0;
}

/** Number of trades, and how much of the result may be luck. */
export function PracticeVerdict({ result, symbol, barMs, holdings }: Props) {
  // Of this practice: another one counts it.
  const [earlier] = useState(() => {
    const before = readEarlier(symbol);
    save(keyOf(symbol), String(before + 1));
    return before;
  });
  const { equity, trades } = result;
  const judged = useQuery({
    queryKey: ['practice', symbol, barMs, earlier, holdings.length, equity.at(-1) ?? 0],
    queryFn: async () => judgePractice(await enginePool(), { equity, trades }, { barMs, earlier }),
    staleTime: Infinity,
    retry: false,
  });
  const won = trades.filter(({ netPnl }) => netPnl > 0).length;
  const figures = judged.data?.figures.filter(({ value }) => value !== null) ?? [];
  return (
    <section aria-label="Verdict on the practice" className="flex flex-col gap-1 border-b border-line p-2 text-label">
      <p>
        {formatMany(trades.length, 'trade')}, {formatCount(won)} won
        {trades.length > 0 && ` (${formatPercent(won / trades.length)})`}, {formatMany(holdings.length, 'candle')},{' '}
        {formatMany(earlier + 1, 'practice')} on {symbol} in this browser.
      </p>
      {judged.error !== null && (
        <ErrorState failure={judged.error} text={messageOf(judged.error, 'The honesty check failed.')} />
      )}
      {judged.isPending && <p role="status">Checking how much is luck</p>}
      {judged.data !== undefined && judged.data === null && <p>Too few candles to judge. Practise longer.</p>}
      {judged.data != null && (
        <>
          <p role="status">
            <strong>{honestyLevelNames[judged.data.reading.level]}</strong>: {judged.data.reading.words}
          </p>
          <ul className="list-disc pl-5 text-muted">
            {figures.map(({ id, words }) => (
              <li key={id}>{words}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
