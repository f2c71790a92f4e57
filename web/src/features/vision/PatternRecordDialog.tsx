import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { useState } from 'react';
import type { PatternRecord } from '../../api/types.ts';
import { usePatternRecord } from '../../api/vision.ts';
import { formatCount } from '../../format/number.ts';
import { formatDay } from '../../format/time.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { EmptyState, Loaded } from '../../ui/Panel.tsx';
import { percent } from './percent.ts';

const ALL = '';
const edgeWords = { better: 'edge', worse: 'fails', none: 'no edge' } as const;
const edgeTones = { better: 'text-up', worse: 'text-down', none: 'text-muted', unknown: 'text-muted' } as const;

/** What followed each pattern on the stored candles, by symbol and interval. */
export function PatternRecordDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [interval, setInterval] = useState<(typeof signalIntervals)[number]>('1h');
  const [symbol, setSymbol] = useState(ALL);
  const response = usePatternRecord({ interval, symbol, isOpen });
  const symbols = response.data?.symbols ?? [];
  // A chosen symbol stays in the list while that of another interval loads.
  const listed = symbol === ALL || symbols.includes(symbol) ? symbols : [symbol, ...symbols];
  return (
    <Dialog title="Patterns, replayed" isOpen={isOpen} onClose={onClose}>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Interval">
          {(ids) => (
            <select
              {...ids}
              className="input"
              value={interval}
              onChange={({ target }) => setInterval(signalIntervals.find((each) => each === target.value) ?? interval)}
            >
              {signalIntervals.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Symbol">
          {(ids) => (
            <select {...ids} className="input" value={symbol} onChange={({ target }) => setSymbol(target.value)}>
              <option value={ALL}>All symbols</option>
              {listed.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Loaded response={response} failure="Could not load the patterns." rows={6}>
        {(record) => <Cases record={record} />}
      </Loaded>
      <button type="button" className="btn self-end" onClick={onClose}>
        Close
      </button>
    </Dialog>
  );
}

/** The missing edge first: most patterns have none. */
export function verdictText({ patterns, needed }: PatternRecord): string {
  const judged = patterns.filter(({ edge }) => edge !== 'unknown');
  const better = judged.filter(({ edge }) => edge === 'better').length;
  if (judged.length === 0) return `No pattern has ${needed} cases yet.`;
  if (better === 0) return `No edge: none of ${judged.length} patterns beats any candle.`;
  return `${better} of ${judged.length} patterns ${better === 1 ? 'beats' : 'beat'} any candle. By luck alone about 1 in 40 would.`;
}

function Cases({ record }: { record: PatternRecord }) {
  const { patterns, candle_count: count, first, last, horizon_candles: horizon, interval, symbol } = record;
  if (count === 0)
    return <EmptyState text="Nothing replayed here yet. Records fill in the background while the history loads." />;
  return (
    <>
      <p className="font-medium">{verdictText(record)}</p>
      <p className="text-label text-muted">
        Replayed on {formatCount(count)} candles of {interval}, {symbol ?? 'all symbols'}, {formatDay(first)} to{' '}
        {formatDay(last)}. Followed: the close {horizon} candles later lies that way.
      </p>
      <table className="w-full text-label tabular-nums" aria-label="Patterns, replayed">
        <thead>
          <tr className="text-muted">
            <th scope="col" className="py-1 text-left font-normal">
              Pattern
            </th>
            <th scope="col" className="px-2 py-1 text-right font-normal">
              Cases
            </th>
            <th scope="col" className="py-1 text-right font-normal">
              Followed (95 %), any candle
            </th>
          </tr>
        </thead>
        <tbody>
          {patterns.map((each) => (
            <tr key={`${each.id} ${each.direction}`} className="border-t border-line">
              <th scope="row" className="py-1 text-left font-normal break-words">
                {each.title}, {each.direction}
              </th>
              <td className="px-2 py-1 text-right">{formatCount(each.count)}</td>
              <td className="py-1 text-right">
                {percent(each.right_count / each.count)} ({percent(each.right_low)} to {percent(each.right_high)}),{' '}
                {percent(each.base_share)}{' '}
                <span className={edgeTones[each.edge]}>
                  {each.edge === 'unknown' ? `needs ${record.needed}` : edgeWords[each.edge]}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
