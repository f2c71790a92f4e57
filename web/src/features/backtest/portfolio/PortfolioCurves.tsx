import { useMemo } from 'react';
import type { PortfolioRun } from '../../../api/types.ts';
import { plotColumn } from '../../../charts/chartModel.ts';
import { LinePlot } from '../../../charts/LinePlot.tsx';
import { formatFixed, formatMoney } from '../../../format/number.ts';

const percentText = (value: number | null | undefined): string => `${formatFixed(value, 2)} %`;

/** Equity, the drawdown under it, and the exposure, on one time axis. */
export function PortfolioCurves({ curve, equity: start }: { curve: PortfolioRun['curve']; equity: number }) {
  const { time, lines } = useMemo(() => {
    const { equity, drawdown, longNotional, shortNotional } = curve;
    const exposure = equity.map((value, i) => ((longNotional[i] ?? 0) + (shortNotional[i] ?? 0)) / value);
    return {
      time: Float64Array.from(curve.time),
      lines: [
        {
          heightPx: 200,
          line: {
            label: 'Equity, USDT',
            values: plotColumn(equity),
            colour: 'accent' as const,
            isFilled: false,
            levels: [start],
            format: (value: number | null | undefined) => formatMoney(value),
          },
        },
        {
          heightPx: 90,
          line: {
            label: 'Drawdown, %',
            values: plotColumn(drawdown, -100),
            colour: 'down' as const,
            isFilled: true,
            levels: [],
            format: percentText,
          },
        },
        {
          heightPx: 90,
          line: {
            label: 'Gross exposure, % of equity',
            values: plotColumn(exposure, 100),
            colour: 'muted' as const,
            isFilled: true,
            levels: [],
            format: percentText,
          },
        },
      ],
    };
  }, [curve, start]);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {lines.map(({ line, heightPx }) => (
        <div key={line.label} className="flex min-w-0 flex-col gap-1">
          <span className="text-label text-muted">{line.label}</span>
          <LinePlot label={line.label} time={time} line={line} heightPx={heightPx} />
        </div>
      ))}
    </div>
  );
}
