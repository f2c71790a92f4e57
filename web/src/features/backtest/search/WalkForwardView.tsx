import type { WalkForwardResult } from '@sextant/workers/src/protocolOptimize.ts';
import { formatCount, formatFixed, formatMoney } from '../../../format/number.ts';
import { formatUtc } from '../../../format/time.ts';
import { type Definition, DefinedTerm } from '../../../ui/Hint.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import type { SearchRun } from './searchState.ts';

const efficiencyDefinition: Definition = {
  name: 'Walk-forward efficiency',
  meaning:
    'Mean result per candle of the test windows over that of the trainings they were chosen on. 1 keeps everything, 0 nothing, below 0 loses.',
  formula: 'mean test PnL per candle / mean training PnL per candle',
  example: 'Training +0.50 a candle, test +0.20: 0.40.',
};

const tone = (value: number): string => (value > 0 ? 'text-up' : value < 0 ? 'text-down' : '');

/** What each later window gave to the set that was found before it. */
export function WalkForwardView({ run, walkForward }: { run: SearchRun; walkForward: WalkForwardResult }) {
  const { folds, efficiency, reason, profitableFoldCount, testNetPnl } = walkForward;
  const { time } = run.loaded.candles;
  return (
    <div className="flex flex-col gap-2 p-3 text-label tabular-nums">
      <p className="text-body">
        <DefinedTerm definition={efficiencyDefinition} />{' '}
        <strong>
          {efficiency === null ? `not given: ${reason ?? 'too little data'}` : formatFixed(efficiency, 2)}
        </strong>
        , {formatCount(profitableFoldCount)} of {formatCount(folds.length)} windows with a gain, together{' '}
        <strong className={tone(testNetPnl)}>{formatMoney(testNetPnl, true)} USDT</strong>
      </p>
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
