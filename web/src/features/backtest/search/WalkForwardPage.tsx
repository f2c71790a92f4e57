import type { WalkForwardResult } from '@sextant/workers/src/protocol/optimize.ts';
import { formatCount, formatFixed, formatMany, formatMoney } from '../../../format/number.ts';
import { formatUtc } from '../../../format/time.ts';
import { DefinedTerm, type Definition } from '../../../ui/Hint.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { walkMinutesWords } from './minutesOfSearch.ts';
import type { SearchRun } from './searchState.ts';
import type { WalkForward } from './walkForwardState.ts';

/** The walk-forward of a search, which is computed after it. */
export function WalkForwardPage({ run, walking }: { run: SearchRun; walking: WalkForward }) {
  if (walking.status === 'result') {
    const lacking = walkMinutesWords(run.minutes, walking.minutesProblem, run.input.costs);
    return <WalkForwardView run={run} walkForward={walking.result} lacking={lacking} />;
  }
  if (walking.status === 'error')
    return (
      <div className="p-3">
        <Notice tone="error">Walk-forward failed: {walking.error}</Notice>
      </div>
    );
  return (
    <p aria-busy="true" className="p-3 text-label text-muted">
      Searching each later window again.
    </p>
  );
}

const efficiencyDefinition: Definition = {
  topic: 'walkForwardEfficiency',
  name: 'Walk-forward efficiency',
  meaning:
    'Test profit divided by training profit, per candle. 1: it holds up in full. 0: nothing is left. Below 0: it loses.',
  formula: 'mean test PnL per candle / mean training PnL per candle',
  example: 'Training +0.50 a candle, test +0.20: 0.40.',
};

const tone = (value: number): string => (value > 0 ? 'text-up' : value < 0 ? 'text-down' : '');

interface WalkForwardProps {
  run: SearchRun;
  walkForward: WalkForwardResult;
  /** Warns that minutes of its windows could not be loaded; null when none are missing. */
  lacking: string | null;
}

/** Result of each test window for the set that was chosen on the candles before it. */
function WalkForwardView({ run, walkForward, lacking }: WalkForwardProps) {
  const { folds, efficiency, reason, profitableFoldCount, testNetPnl, unknownBars = [] } = walkForward;
  const { time } = run.loaded.candles;
  return (
    <div className="flex flex-col gap-2 p-3 text-label tabular-nums">
      {lacking !== null && <Notice tone="warn">{lacking}</Notice>}
      <p className="text-body">
        <DefinedTerm definition={efficiencyDefinition} />{' '}
        <strong>{efficiency === null ? `unknown: ${reason ?? 'too little data'}` : formatFixed(efficiency, 2)}</strong>,{' '}
        {formatCount(profitableFoldCount)} of {formatCount(folds.length)} windows gained, in total{' '}
        <strong className={tone(testNetPnl)}>{formatMoney(testNetPnl, true)} USDT</strong>
      </p>
      {unknownBars.length > 0 && (
        <p className="text-muted">{`${formatMany(unknownBars.length, 'unclear candle')} without 1-minute data.`}</p>
      )}
      <ScrollSideways label="Windows of the walk-forward">
        <table className="table w-full min-w-150">
          <thead>
            <tr>
              <th scope="col" className="lead">
                Test window, UTC
              </th>
              <th scope="col">Candles</th>
              <th scope="col">Training, USDT a candle</th>
              <th scope="col">Test, USDT a candle</th>
              <th scope="col">Trades</th>
              <th scope="col">Net PnL, USDT</th>
            </tr>
          </thead>
          <tbody>
            {folds.map(({ test, trainPnlPerBar, testPnlPerBar, testTradeCount, testNetPnl: netPnl }) => (
              <tr key={test.start}>
                <td className="lead">{formatUtc(time[test.start] ?? Number.NaN)}</td>
                <td>{formatCount(test.end - test.start)}</td>
                <td>{formatFixed(trainPnlPerBar, 3)}</td>
                <td>{formatFixed(testPnlPerBar, 3)}</td>
                <td>{formatCount(testTradeCount)}</td>
                <td className={tone(netPnl)}>{formatMoney(netPnl, true)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollSideways>
    </div>
  );
}
