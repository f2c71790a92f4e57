import type { PositionAnalytics } from '../../../api/types.ts';
import { formatCount, formatFixed, formatMoney, formatPercent } from '../../../format/number.ts';
import { EmptyState, Panel } from '../../../ui/Panel.tsx';
import { drawdownOf } from '../valuation/drawdown.ts';
import { LinePlot } from '../performance/LinePlot.tsx';

/** A line of fewer points would only show where it was measured. */
const POINTS_MIN = 3;

/** Equity as it was measured every five minutes while positions were open, and its fall from the highest point so far. */
export function EquityPanel({ points, balance }: { points: PositionAnalytics['equity']; balance: number }) {
  const measured = points.map(({ at, equity }) => ({ atMs: Date.parse(at), equity }));
  const unmeasured = points.filter(({ equity }) => equity === null).length;
  const { deepest, now, fractions } = drawdownOf(measured);
  const isEnough = points.length - unmeasured >= POINTS_MIN;
  return (
    <Panel
      title="Equity, marked to market"
      aside={isEnough && `drawdown ${formatPercent(now)} now, ${formatPercent(deepest)} at most`}
      bodyClassName="flex flex-col gap-4 p-3"
    >
      {!isEnough && (
        <EmptyState text="Not enough data: the equity is measured every five minutes while a position is open. The curve starts with the third measurement." />
      )}
      {isEnough && (
        <>
          <LinePlot
            label="Equity, USDT"
            points={measured.map(({ atMs, equity }) => ({ atMs, value: equity }))}
            height={180}
            colour="accent"
            level={balance}
            format={(value) => formatMoney(value)}
          />
          <LinePlot
            label="Drawdown, % of the highest equity so far"
            points={measured.map(({ atMs }, at) => {
              const fraction = fractions[at] ?? null;
              return { atMs, value: fraction === null ? null : -fraction * 100 };
            })}
            height={72}
            colour="down"
            level={0}
            format={(value) => `${formatFixed(value, 2)} %`}
          />
          <LinePlot
            label="Exposure, gross, USDT"
            points={points.map(({ at, exposure }) => ({ atMs: Date.parse(at), value: exposure }))}
            height={72}
            colour="accent"
            level={0}
            format={(value) => formatMoney(value)}
          />
        </>
      )}
      {unmeasured > 0 && (
        <p className="text-label text-warn">
          {formatCount(unmeasured)} of {formatCount(points.length)} measurements lacked a price: the lines are broken
          there.
        </p>
      )}
    </Panel>
  );
}
