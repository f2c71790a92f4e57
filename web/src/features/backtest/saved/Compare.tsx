import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { classicAsRules } from '@sextant/workers/src/classicRules.ts';
import { paramsFromWire } from '@sextant/workers/src/wire/strategyParams.ts';
import { Check } from 'lucide-react';
import { useState } from 'react';
import type { SavedRun } from '../../../api/types.ts';
import { formatCount, formatFixed, formatMoney } from '../../../format/number.ts';
import { rulesText } from '../../../format/strategyText.ts';
import { formatUtc } from '../../../format/time.ts';
import { voteName } from '../../../format/voteName.ts';
import { DefinedTerm } from '../../../ui/Hint.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { fractionFields, plainFields } from '../costs.ts';
import { groupNames } from '../results/allFigures.ts';
import { fundingName, sameBarName } from '../results/assumptions.ts';
import { MoreFigures } from '../results/MetricStrip.tsx';
import { type CompareGroup, compareGroups, headFigures, withoutFigures } from './compareFigures.ts';
import { type CompareRow, type Line, percent, rowOf, type Value } from './compareRow.ts';

const two = (value: number) => formatFixed(value, 2);

const marketOf = ({ symbol, setup }: SavedRun): string => (symbol === 'CSV' ? (setup.label ?? symbol) : symbol);
const shortHash = (hash: string): string => hash.slice(0, 8);

const market: readonly Line[] = [
  { name: 'Candles', read: (run) => `${marketOf(run)} ${run.interval}`, format: String },
  {
    name: 'Exchange',
    read: ({ setup }) => setup.exchange,
    format: String,
    absent: 'sent by this browser',
    isDetail: true,
  },
  { name: 'Last candle closed', read: ({ setup }) => formatUtc(setup.end_time), format: String },
  { name: 'Loaded', read: ({ setup }) => setup.loaded, format: formatCount },
  { name: 'Scored', read: ({ setup }) => setup.scored, format: formatCount },
  { name: 'Engine', read: ({ hashes }) => shortHash(hashes.engine), format: String, isDetail: true },
];

const parameters: readonly Line[] = [
  { name: 'Entry threshold', read: ({ params }) => params.entryThreshold, format: two },
  { name: 'Stop loss', read: ({ params }) => params.slPct, ...percent },
  { name: 'Take profit', read: ({ params }) => params.tpPct, ...percent },
  {
    name: 'Trail callback',
    read: ({ params: { trailing } }) => (trailing.enabled ? trailing.callbackPct : 'off'),
    ...percent,
  },
  {
    name: 'Trail step',
    read: ({ params: { trailing } }) => (trailing.enabled ? trailing.stepPct : 'off'),
    ...percent,
    isDetail: true,
  },
  {
    name: 'Trail activation',
    read: ({ params: { trailing } }) => (trailing.enabled ? (trailing.activationPct ?? 0) : 'off'),
    ...percent,
    isDetail: true,
  },
  {
    name: 'Trail mode',
    read: ({ params: { trailing } }) => trailing.mode ?? 'percent',
    format: String,
    isDetail: true,
  },
  {
    name: 'Longest holding, candles',
    read: ({ params }) => params.holdingBarsMax ?? 0,
    format: formatCount,
    isDetail: true,
  },
];

/** The rules of a kept run; Classic as the strategy of rules that it is. */
const rulesOf = ({ strategy, params, interval }: SavedRun): Strategy =>
  (strategy as Strategy | null) ?? classicAsRules(paramsFromWire(params), interval as IntervalName);

/** What stands in place of the parameters when one of the two ran a strategy of rules. */
function ruleLines(left: SavedRun, right: SavedRun): Line[] {
  const names = rulesText(rulesOf(left)).map(([name]) => name);
  const ids = new Set([left, right].flatMap((run) => Object.keys(rulesOf(run).weights)));
  return [
    { name: 'Strategy', read: ({ strategy }) => (strategy === null ? 'Classic' : 'Rules'), format: String },
    ...names.map((name): Line => ({
      name,
      read: (run) => rulesText(rulesOf(run)).find(([each]) => each === name)?.[1],
      format: String,
    })),
    ...[...ids].map((id) => weightLine(id, 2, (run) => rulesOf(run).weights[id] ?? 0)),
  ];
}

const weightLine = (id: string, decimals: number, read: Line['read']): Line => ({
  name: `${voteName(id)} weight`,
  read,
  format: (value) => formatFixed(value, decimals),
  isDetail: true,
});

const shownCosts: readonly string[] = ['takerFeeFraction', 'slippageFraction', 'leverage'];

/** Every cost that goes into a run: the three that are asked for first always, the rest where the two differ. */
const costs: readonly Line[] = [
  ...fractionFields.map(({ key, label }): Line => ({
    name: label,
    read: ({ setup }) => setup.costs[key],
    ...percent,
    isDetail: !shownCosts.includes(key),
  })),
  ...plainFields.map(({ key, label, unit }): Line => ({
    name: unit === 'x' ? label : `${label}, ${unit}`,
    read: ({ setup }) => setup.costs[key],
    format:
      unit === 'x'
        ? (value) => `${formatFixed(value, Number.isInteger(value) ? 0 : 2)}x`
        : (value) => formatMoney(value),
    isDetail: !shownCosts.includes(key),
  })),
  { name: 'Target order', read: ({ setup }) => setup.costs.takeProfitOrder, format: String, isDetail: true },
  { name: 'Funding', read: ({ setup }) => fundingName(setup.costs), format: String },
  {
    name: 'Minutes and mark prices',
    read: ({ setup }) => (setup.fineData === true ? 'on' : 'off'),
    format: String,
    isDetail: true,
  },
  { name: 'Stop and target in one candle', read: ({ setup }) => sameBarName(setup.costs), format: String },
];

/** Figures first, then the settings, then only those weights and details in which the two differ. */
export function compareRows(left: SavedRun, right: SavedRun): { figures: CompareRow[]; settings: CompareRow[] } {
  const weights = Object.keys(left.params.weights).map((id) =>
    weightLine(id, 1, ({ params }) => params.weights[id as keyof typeof params.weights]),
  );
  const isOfRules = left.strategy !== null || right.strategy !== null;
  const lines = isOfRules
    ? [...market, ...ruleLines(left, right), ...costs]
    : [...market, ...parameters, ...costs, ...weights];
  return {
    figures: headFigures(left, right),
    settings: lines.flatMap((line) => {
      const row = rowOf(left, right, line);
      return line.isDetail === true && !row.isDifferent ? [] : [row];
    }),
  };
}

/** The hash of the data has the candles of the longer intervals in it, and a window is named by its end and its length. */
function otherCandles(left: SavedRun, right: SavedRun): string {
  const longer = (run: SavedRun): string =>
    rulesOf(run)
      .intervals.slice(1)
      .map(({ interval }) => interval)
      .join(', ') || 'none';
  const window = ({ setup: { exchange, end_time, loaded, scored } }: SavedRun): string =>
    JSON.stringify([exchange, end_time, loaded, scored]);
  // Mark prices are data.
  if (window(left) === window(right) && left.setup.fineData !== right.setup.fineData)
    return 'One of them was run with minutes and mark prices, the other without: part of the difference is theirs.';
  return window(left) === window(right) && longer(left) !== longer(right)
    ? `Longer intervals differ (${longer(left)} and ${longer(right)}): part of the difference is theirs.`
    : 'Not the same candles: part of the difference is the market.';
}

/** Why two results must not be compared as if only the parameters differed; empty when they may. */
export function cautions(left: SavedRun, right: SavedRun): string[] {
  const differs = (read: (run: SavedRun) => Value): boolean => !Object.is(read(left), read(right));
  const found: string[] = [];
  if (differs(({ hashes }) => hashes.engine)) found.push('Two versions of the engine: the results are not comparable.');
  if (differs(marketOf) || differs(({ interval }) => interval))
    found.push(
      `${marketOf(left)} ${left.interval} and ${marketOf(right)} ${right.interval}: the difference is the market's as well.`,
    );
  else if (differs(({ hashes }) => hashes.data)) found.push(otherCandles(left, right));
  if (differs(({ setup }) => setup.scored)) found.push('Scored windows of different length: totals do not compare.');
  const other = costs.filter(({ read }) => differs(read)).map(({ name }) => name.replace(/, USDT$/, '').toLowerCase());
  if (other.length > 0) found.push(`Not the same costs and sizing: ${other.join(', ')}.`);
  return found;
}

/** Two kept runs side by side. What differs is marked, and so is what makes them hard to compare. */
export function Compare({ left, right }: { left: SavedRun; right: SavedRun }) {
  const found = cautions(left, right);
  return (
    <section aria-label="Comparison" className="relative flex flex-col gap-3 border-t border-line p-3">
      {found.length > 0 && (
        <Notice tone="warn">
          {found.map((caution) => (
            <p key={caution}>{caution}</p>
          ))}
        </Notice>
      )}
      <Equities runs={[left, right]} />
      <CompareTable left={left} right={right} />
    </section>
  );
}

const size = { width: 600, height: 96 };

/** Each equity over its own scored window: the first solid, the second dashed. */
function Equities({ runs: [left, right] }: { runs: [SavedRun, SavedRun] }) {
  const gain = ({ equity }: SavedRun) => equity.map((value) => value - (equity[0] ?? 0));
  const [a, b] = [gain(left), gain(right)];
  // Both in one picture, so that they share the scale: the second follows the first.
  const low = Math.min(0, ...a, ...b);
  const high = Math.max(0, ...a, ...b);
  const scaled = (values: number[]): string => {
    const shares = values.map((value) => (value - low) / (high - low || 1));
    const step = size.width / Math.max(1, shares.length - 1);
    return shares
      .map((share, i) => `${(i * step).toFixed(1)},${(size.height - 2 - share * (size.height - 4)).toFixed(1)}`)
      .join(' ');
  };
  return (
    <figure>
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="h-24 w-full"
      >
        <polyline
          points={scaled(a)}
          fill="none"
          stroke="var(--accent)"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
        <polyline
          points={scaled(b)}
          fill="none"
          stroke="var(--text)"
          strokeWidth="1.5"
          strokeDasharray="5 4"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption className="text-label text-muted">
        Gain in USDT, each over its own scored window: {left.name} solid, {right.name} dashed.
      </figcaption>
    </figure>
  );
}

/** Figures, on demand all of them, then the settings. The better side of a figure carries a mark. */
function CompareTable({ left, right }: { left: SavedRun; right: SavedRun }) {
  const [isOpen, setOpen] = useState(false);
  const { figures, settings } = compareRows(left, right);
  const unkept = withoutFigures([left, right]);
  return (
    <>
      <ScrollSideways label="Figures side by side">
        <table className="table w-full">
          <thead>
            <tr>
              <th scope="col" className="lead">
                <span className="sr-only">Figure</span>
              </th>
              {[left, right].map(({ id, name }) => (
                <th key={id} scope="col" className="wraps">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {figures.map((row) => (
              <Row key={row.name} row={row} />
            ))}
            <tr>
              <td colSpan={3} className="lead">
                <MoreFigures isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
              </td>
            </tr>
          </tbody>
          {isOpen && compareGroups(left, right).map((group) => <Group key={group.group} {...group} />)}
          <tbody className="border-t-2 border-line">
            {settings.map((row) => (
              <Row key={row.name} row={row} />
            ))}
          </tbody>
        </table>
      </ScrollSideways>
      <p className="text-label text-muted">
        <Check size={12} aria-hidden="true" className="inline align-[-1px]" /> marks the better of two figures, where
        more or less of it is better by itself.
        {isOpen && unkept.length > 0 && ` Saved before these figures were kept: ${unkept.join(', ')}.`}
      </p>
    </>
  );
}

function Group({ group, left, right, rows }: CompareGroup) {
  return (
    <tbody className="border-t-2 border-line">
      <tr>
        <th scope="rowgroup" className="lead">
          <span className="font-semibold text-text">{groupNames[group]}</span>
        </th>
        {[left, right].map((basis, at) => (
          <td key={at} className="wraps text-muted">
            {basis}
          </td>
        ))}
      </tr>
      {rows.map((row) => (
        <Row key={row.name} row={row} />
      ))}
    </tbody>
  );
}

function Row({ row: { name, left, right, isDifferent, definition, better } }: { row: CompareRow }) {
  const look = `font-mono wraps ${isDifferent ? 'font-semibold' : 'text-muted'}`;
  return (
    <tr>
      <th scope="row" className="lead wraps font-normal text-muted">
        {definition === undefined ? name : <DefinedTerm definition={definition} label={name} />}
      </th>
      {(
        [
          ['left', left],
          ['right', right],
        ] as const
      ).map(([side, text]) => (
        <td key={side} className={look}>
          {better === side && <Better />}
          {text}
        </td>
      ))}
    </tr>
  );
}

function Better() {
  return (
    <>
      <Check size={12} strokeWidth={3} aria-hidden="true" className="mr-1 inline align-[-1px] text-accent" />
      <span className="sr-only">better: </span>
    </>
  );
}
