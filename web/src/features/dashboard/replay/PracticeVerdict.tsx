import type { HonestyResult } from '@sextant/workers/src/protocol/honesty.ts';
import type { PracticeResult } from '@sextant/workers/src/protocol/practice.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { enginePool } from '../../../engine/enginePool.ts';
import { honestyLevelNames } from '../../../format/honesty.ts';
import { formatCount, formatMany, formatPercent } from '../../../format/number.ts';
import { readSaved, save } from '../../../state/storage.ts';
import { ErrorState } from '../../../ui/Panel.tsx';
import { judgePractice, type Practice } from './practice.ts';

interface Props {
  result: PracticeResult;
  symbol: string;
  practice: Practice;
}

const keyOf = (symbol: string): string => `practised.${symbol}`;

/** Practices judged before on a symbol in this browser. */
function readEarlier(symbol: string): number {
  const count = Number(readSaved(keyOf(symbol)));
  return Number.isInteger(count) && count > 0 ? count : 0;
}

/** One practice is one trial: what the lab says of one set of parameters does not fit. */
const wordsOf = ({ reading, trialCount }: HonestyResult): string =>
  reading.level === 'not enough data' && trialCount === 1
    ? 'One practice shows little. Repeat it on other dates.'
    : reading.words;

/** Number of trades, and how much of the result may be luck. */
export function PracticeVerdict({ result: { trades }, symbol, practice }: Props) {
  // Of this practice: another one counts it.
  const [earlier] = useState(() => {
    const before = readEarlier(symbol);
    save(keyOf(symbol), String(before + 1));
    return before;
  });
  const judged = useQuery({
    queryKey: ['practice', symbol, practice.interval, practice.from, practice.seen, practice.actions, earlier],
    queryFn: async () => judgePractice(await enginePool(), practice, earlier),
    staleTime: Infinity,
    retry: false,
  });
  const won = trades.filter(({ netPnl }) => netPnl > 0).length;
  const figures = judged.data?.figures.filter(({ value }) => value !== null) ?? [];
  return (
    <section aria-label="Verdict on the practice" className="flex flex-col gap-1 border-b border-line p-2 text-label">
      <p>
        {formatMany(trades.length, 'trade')}, {formatCount(won)} won
        {trades.length > 0 && ` (${formatPercent(won / trades.length)})`},{' '}
        {formatMany(practice.seen - practice.from, 'candle')}, {formatMany(earlier + 1, 'practice')} on {symbol} in this
        browser.
      </p>
      {judged.error !== null && (
        <ErrorState failure={judged.error} text={messageOf(judged.error, 'The honesty check failed.')} />
      )}
      {judged.isPending && <p role="status">Checking how much is luck</p>}
      {judged.data != null && (
        <>
          <p role="status">
            <strong>{honestyLevelNames[judged.data.reading.level]}</strong>: {wordsOf(judged.data)}
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
