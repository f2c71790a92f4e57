import { useSnapshot } from 'valtio';
import { formatFixed, formatMoney, formatPercent } from '../../../format/number.ts';
import { signTone } from '../../../format/tone.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { SliderRow } from '../../../ui/SliderRow.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import type { Marked } from '../valuation/mark.ts';
import { betaOf } from './beta.ts';
import { riskState } from './riskState.ts';
import { ShockPath } from './ShockPath.tsx';
import { ShockRows } from './ShockRows.tsx';
import { nextLiquidation, shockBounds, type ShockView, shockView, walkable } from './shockScenario.ts';
import { ShortfallLine } from './ShortfallLine.tsx';
import { HOUR_MS, useHourlyCloses } from './useHourlyCloses.ts';
import { useShock } from './useShock.ts';

const MARKET = 'BTCUSDT';
const moves = ['alike', 'beta'] as const;
const moveNames = { alike: 'Every symbol alike', beta: 'By beta to BTC' };

/** What a market shock would do to every open position, in both directions, at once. */
export function RiskCard({ rows, equity }: { rows: readonly Marked[]; equity: number | null }) {
  const settings = useSnapshot(riskState);
  const symbols = [...new Set([MARKET, ...rows.map(({ position }) => position.symbol)])];
  const { closes, isWaiting } = useHourlyCloses(rows.length === 0 ? [] : symbols);
  const market = closes.get(MARKET);
  const betas = new Map(
    symbols.map((symbol) => {
      const own = closes.get(symbol);
      return [symbol, own === undefined || market === undefined ? null : betaOf(own, market, HOUR_MS)];
    }),
  );
  const walked = walkable(rows, betas);
  const { result, failure } = useShock(walked, settings);
  const missing = rows.filter(({ price }) => price === null).map(({ position }) => position.symbol);
  const isEmpty = rows.length === 0;
  return (
    <Panel title="Market shock" aside="simulated here, at once" bodyClassName="flex flex-col gap-3 p-3">
      <ShockControls />
      {failure !== null && <Notice tone="error">The shock could not be computed here: {failure}</Notice>}
      {isEmpty && <p className="text-muted">No open positions. The shock is computed once a position is open.</p>}
      {!isEmpty && result !== null && equity !== null && (
        <>
          <Verdict
            down={shockView(result.walked, result.down.outcomes, equity)}
            up={shockView(result.walked, result.up.outcomes, equity)}
            shockPct={result.settings.shockPct}
          />
          <ShockPath {...result} />
          <NextLiquidation rows={rows} />
          <ShortfallLine rows={rows} closes={closes} isWaiting={isWaiting} />
          <ShockRows result={result} />
        </>
      )}
      {missing.length > 0 && (
        <Notice tone="warn">
          No fresh price of {[...new Set(missing)].join(', ')}: left out of every figure here.
        </Notice>
      )}
    </Panel>
  );
}

function ShockControls() {
  const { shockPct, isByBeta, isGap } = useSnapshot(riskState);
  return (
    <>
      <SliderRow
        name="Market shock"
        label="Market shock"
        value={shockPct}
        isChanged={shockPct !== shockBounds.standard}
        {...{ min: shockBounds.min, max: shockBounds.max, step: shockBounds.step, decimals: 1, unit: '%' }}
        onChange={(value) => (riskState.shockPct = Math.round(value / shockBounds.step) * shockBounds.step)}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Segments
          label="How symbols move"
          isSmall
          options={moves}
          value={isByBeta ? 'beta' : 'alike'}
          nameOf={(move) => moveNames[move]}
          onSelect={(move) => (riskState.isByBeta = move === 'beta')}
        />
        <span className="flex items-center gap-2 text-label">
          <Switch label="Jump over the stops" isOn={isGap} onToggle={(isOn) => (riskState.isGap = isOn)} />
          Jump over the stops
        </span>
      </div>
    </>
  );
}

function Verdict({ down, up, shockPct }: { down: ShockView; up: ShockView; shockPct: number }) {
  const columns = [
    { name: `−${formatFixed(shockPct, 1)} %`, view: down },
    { name: `+${formatFixed(shockPct, 1)} %`, view: up },
  ];
  const lines: [string, (view: ShockView) => string, ((view: ShockView) => string)?][] = [
    ['PnL, USDT', ({ pnl }) => formatMoney(pnl, true), ({ pnl }) => `font-semibold ${signTone(pnl)}`],
    ['Equity after, USDT', ({ equity }) => formatMoney(equity)],
    ['Stopped', ({ stopped }) => namesOf(stopped)],
    ['Target reached', ({ taken }) => namesOf(taken)],
    [
      'Liquidated',
      ({ liquidated }) => namesOf(liquidated),
      ({ liquidated }) => (liquidated.length > 0 ? 'font-semibold text-warn' : ''),
    ],
    ['Still open', ({ stillOpen }) => String(stillOpen)],
  ];
  return (
    <table className="table" aria-label="What the shock does">
      <thead>
        <tr>
          <th className="lead" scope="col">
            Market moves
          </th>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(([name, text, tone]) => (
          <tr key={name}>
            <th className="lead" scope="row">
              {name}
            </th>
            {columns.map(({ name: column, view }) => (
              <td key={column} className={`wraps ${tone?.(view) ?? ''}`}>
                {text(view)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** By name here; the others are in the lines of each position. */
const NAMED = 3;

function namesOf(ended: ShockView['stopped']): string {
  if (ended.length === 0) return 'none';
  const named = ended.slice(0, NAMED).map(({ position }) => position.symbol);
  const others = ended.length - named.length;
  return `${ended.length}: ${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

function NextLiquidation({ rows }: { rows: readonly Marked[] }) {
  const next = nextLiquidation(rows);
  return (
    <p className="flex justify-between gap-3 text-label">
      <span className="text-muted">Next liquidation</span>
      <span className="text-right">
        {next === null
          ? 'none can be'
          : `${next.position.symbol} ${next.position.side} after ${formatPercent(next.moveFraction, true)}${next.isBehindStop ? ', behind its stop' : ''}`}
      </span>
    </p>
  );
}
