// Long because one card with its chart and table shares one state.
import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { ShockOutcome } from '@sextant/workers/src/protocol/positions.ts';
import { proxy, useSnapshot } from 'valtio';
import { formatCount, formatFixed, formatMoney, formatPercent, signTone } from '../../../format/number.ts';
import { onUserReset } from '../../../state/userReset.ts';
import { ExchangeWait } from '../../../ui/ExchangeWait.tsx';
import { DefinedTerm, type Definition } from '../../../ui/Hint.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { SliderRow } from '../../../ui/SliderRow.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import type { Marked } from '../mark.ts';
import { betaOf, type Closes, expectedShortfall } from './returnStatistics.ts';
import {
  type BothWays,
  nextLiquidation,
  shockBounds,
  type ShockSettings,
  type ShockView,
  shockView,
  useHourlyCloses,
  useShock,
  walkable,
} from './shock.ts';

const first = (): ShockSettings => ({ shockPct: shockBounds.standard, isByBeta: false, isGap: false });

/** Settings of the risk card, preserved while other tabs are open. */
export const riskState = proxy<ShockSettings>(first());

onUserReset(() => Object.assign(riskState, first()));

const MARKET = 'BTCUSDT';
const marketSeries = { exchange: 'binance', symbol: MARKET } as const;
const moves = ['alike', 'beta'] as const;
const moveNames = { alike: 'Every symbol alike', beta: 'By beta to BTC' };

/** Effect of a market shock on every open position, in both directions. @param rows null: not loaded yet */
export function RiskCard({ rows: known, equity }: { rows: readonly Marked[] | null; equity: number | null }) {
  const rows = known ?? [];
  const settings = useSnapshot(riskState);
  // One exchange for each symbol: its hourly returns are nearly the same on all of them.
  const series = new Map(rows.map(({ position }) => [position.symbol, position]));
  const symbols = [...new Set([MARKET, ...series.keys()])];
  const { closes, isWaiting } = useHourlyCloses(
    rows.length === 0 ? [] : symbols.map((symbol) => series.get(symbol) ?? marketSeries),
  );
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
      {isWaiting && <ExchangeWait />}
      {failure !== null && <Notice tone="error">Could not compute the shock: {failure}</Notice>}
      {isEmpty && known !== null && <p className="text-muted">No open positions. Open one to compute a shock.</p>}
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
        min={shockBounds.min}
        max={shockBounds.max}
        step={shockBounds.step}
        decimals={1}
        unit="%"
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

const ends = {
  TP: 'target',
  SL: 'stopped',
  LIQ: 'liquidated',
  TIME: 'time',
  SIGNAL: 'opposite signal',
  END: 'end',
} as const;

/** The path of each position, one line each. */
function ShockRows({ result: { walked, down, up, settings } }: { result: BothWays }) {
  return (
    <details>
      <summary className="cursor-pointer text-label text-muted">Each position</summary>
      <ScrollSideways label="Positions in the shock">
        <table className="table" aria-label="Each position in the shock">
          <thead>
            <tr>
              <th className="lead" scope="col">
                Position
              </th>
              <th scope="col">Beta</th>
              <th scope="col">Down, USDT</th>
              <th scope="col">Up, USDT</th>
            </tr>
          </thead>
          <tbody>
            {walked.map(({ marked: { position }, beta }, at) => (
              <tr key={position.id}>
                <th className="lead" scope="row">
                  {position.symbol} {position.side}
                  {position.trailing?.mode === 'atr' && <StaysNote />}
                </th>
                <td
                  title={beta === null ? 'Too few candles: assumed to move with the market' : `n = ${beta.count} hours`}
                >
                  {beta === null ? (settings.isByBeta ? 'none, as BTC' : 'none') : formatFixed(beta.value, 2)}
                </td>
                <OutcomeCell outcome={down.outcomes[at]} />
                <OutcomeCell outcome={up.outcomes[at]} />
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollSideways>
    </details>
  );
}

/** Meaning of the figures: docs/architecture.md, "Market shock". */
function StaysNote() {
  const text = 'The ATR trailing stop stays in place during the shock.';
  return (
    <span
      className="font-normal text-muted"
      title={text}
      tabIndex={0}
      aria-label={`ATR stop stays. ${text}`}
      role="note"
    >
      {' '}
      ATR stop stays
    </span>
  );
}

function OutcomeCell({ outcome }: { outcome: ShockOutcome | undefined }) {
  if (outcome === undefined) return <td />;
  return (
    <td>
      <span className={signTone(outcome.pnl)}>{formatMoney(outcome.pnl, true)}</span>
      {outcome.closeReason !== null && <span className="text-muted"> {ends[outcome.closeReason]}</span>}
    </td>
  );
}

const WIDTH = 320;
const HEIGHT = 64;

/** Total gain of all positions along the shock, from down at the left to up at the right. */
function ShockPath({ down, up, settings: { shockPct } }: BothWays) {
  const values = [...[...down.path].reverse(), ...up.path.slice(1)];
  const most = Math.max(...values.map(Math.abs), Number.MIN_VALUE);
  const x = (at: number): number => (at / Math.max(1, values.length - 1)) * WIDTH;
  const y = (value: number): number => HEIGHT / 2 - (value / most) * (HEIGHT / 2 - 3);
  const points = values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  return (
    <figure>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`PnL over the move, from ${formatMoney(values[0], true)} at the low end to ${formatMoney(values.at(-1), true)} at the high end`}
        className="block h-16 w-full"
      >
        <line
          x1="0"
          x2={WIDTH}
          y1={HEIGHT / 2}
          y2={HEIGHT / 2}
          stroke="var(--line)"
          vectorEffect="non-scaling-stroke"
        />
        <line x1={WIDTH / 2} x2={WIDTH / 2} y1="0" y2={HEIGHT} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
        <polyline
          points={points}
          fill="none"
          stroke="var(--accent)"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption className="flex justify-between text-label text-muted">
        <span>−{shockPct} %</span>
        <span>PnL over the move</span>
        <span>+{shockPct} %</span>
      </figcaption>
    </figure>
  );
}

const definition: Definition = {
  topic: 'expectedShortfall',
  name: 'Expected shortfall, 1 h',
  meaning:
    'Mean result of the worst 5 % of recent hours, with the current positions held through each. Stops and targets are ignored.',
  formula: 'mean of the lowest 5 % of sum(exposure × hourly return)',
  example: 'In 400 hours the worst 20 lost 70 USDT on average: −70.',
};

interface Props {
  rows: readonly Marked[];
  closes: ReadonlyMap<string, Closes>;
  isWaiting: boolean;
}

/** Expected loss of a bad hour, from candles; no figure when there are too few. */
function ShortfallLine({ rows, closes, isWaiting }: Props) {
  const holdings = rows.flatMap(({ position, exposure }) =>
    exposure === null ? [] : [{ symbol: position.symbol, exposureUsdt: exposure }],
  );
  const result = expectedShortfall(holdings, closes, HOUR_MS);
  return (
    <p className="flex justify-between gap-3 text-label">
      <span className="text-muted">
        <DefinedTerm definition={definition} />
      </span>
      <span className="text-right">
        {result.usdt !== null
          ? `${formatMoney(result.usdt, true)} USDT, n = ${formatCount(result.count)}`
          : isWaiting
            ? 'reading candles'
            : result.reason}
      </span>
    </p>
  );
}
