import type { CSSProperties } from 'react';
import type { OrderPreview } from '../../../api/types.ts';
import { serverClock } from '../../../api/serverClock.ts';
import {
  formatAmount,
  formatFixed,
  formatMoney,
  formatPercent,
  formatPrice,
  formatQuantity,
  NO_VALUE,
  signTone,
  tickDecimals,
} from '../../../format/number.ts';
import { formatDuration } from '../../../format/time.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { SkeletonRows } from '../../../ui/Panel.tsx';
import { ladderOf, type Rung } from './ladder.ts';
import type { Contract } from './useTicket.ts';

const usdt = (value: number | null, signed = false): string =>
  value === null ? NO_VALUE : `${formatMoney(value, signed)}\u00a0USDT`;
const pct = (value: number | null): string => (value === null ? NO_VALUE : formatPercent(value / 100));
const inR = (r: number | null): string => (r === null ? '' : `, ${r > 0 ? '+' : ''}${formatFixed(r, 2)}R`);

interface Row {
  name: string;
  value: string;
  tone?: string;
}

function fundingText({ funding_next: amount, next_funding_at: at }: OrderPreview): string {
  if (amount === null) return NO_VALUE;
  const paid = amount === 0 ? '0.00\u00a0USDT' : `${amount > 0 ? 'pays' : 'receives'} ${usdt(Math.abs(amount))}`;
  return at === null ? paid : `${paid} in ${formatDuration(Math.max(0, Date.parse(at) - serverClock.now()))}`;
}

function targetRows({ targets, gain_at_targets: all }: OrderPreview): Row[] {
  const rows = targets.map(({ gain, r, fraction }, at): Row => {
    const share = targets.length > 1 ? ` (${formatFixed(fraction * 100, 0)}\u00a0%)` : '';
    const name = targets.length > 1 ? `Gain at target ${at + 1}${share}` : 'Gain at the target';
    return { name, value: `${usdt(gain, true)}${inR(r)}`, tone: signTone(gain) };
  });
  if (targets.length < 2) return rows;
  return [...rows, { name: 'Gain at all targets', value: usdt(all, true), tone: signTone(all) }];
}

/** What the order would do, the risk first. */
export function figureRows(preview: OrderPreview, decimals: number | undefined): Row[] {
  const price = (value: number | null): string => formatPrice(value, decimals);
  const left: Row = { name: 'Free equity after it', value: usdt(preview.equity_left) };
  const entry: Row = { name: `Fill price, as ${preview.role}`, value: price(preview.entry) };
  if (preview.action === 'close' || preview.action === 'reduce') {
    return [
      { name: 'Net result', value: usdt(preview.realised, true), tone: signTone(preview.realised) },
      entry,
      { name: 'Fee', value: usdt(preview.fee_in) },
      { name: 'Open after it', value: formatQuantity(preview.position_quantity) },
      left,
    ];
  }
  const distance = preview.liquidation_distance_pct === null ? '' : `, ${pct(preview.liquidation_distance_pct)} away`;
  const added: Row[] =
    preview.action === 'add'
      ? [
          { name: 'Average entry after it', value: price(preview.average_entry) },
          { name: 'Open after it', value: formatQuantity(preview.position_quantity) },
        ]
      : [];
  const loss = preview.loss_at_stop;
  return [
    {
      name: 'Loss at the stop',
      value: loss === null ? NO_VALUE : `${usdt(-loss, true)}, ${pct(preview.loss_at_stop_pct)} of the balance`,
      tone: loss === null ? '' : signTone(-loss),
    },
    ...targetRows(preview),
    { name: 'Liquidation', value: preview.liquidation === null ? 'none' : `${price(preview.liquidation)}${distance}` },
    entry,
    ...added,
    {
      name: 'Fees, in and out at the stop',
      value: `${formatMoney(preview.fee_in)} + ${usdt(preview.fee_out_at_stop)}`,
    },
    { name: 'Next funding', value: fundingText(preview) },
    { name: 'Margin', value: `${usdt(preview.margin)} at ${preview.leverage}x` },
    left,
  ];
}

/** Rules of the exchange that prices and quantities follow; null until they are loaded. */
export function rulesText({ tickSize, stepSize, decimals, base, notionalMin }: Contract): string | null {
  if (tickSize <= 0 || stepSize <= 0) return null;
  const rules = [
    `tick ${formatFixed(tickSize, decimals ?? 0)}`,
    `step ${formatFixed(stepSize, tickDecimals(stepSize) ?? 0)}\u00a0${base}`,
    ...(notionalMin === null ? [] : [`least ${formatAmount(notionalMin)}\u00a0USDT`]),
  ];
  return `Contract: ${rules.join(', ')}.`;
}

const tones: Record<Rung['tone'], string> = {
  up: 'bg-up',
  down: 'bg-down',
  accent: 'bg-accent',
  muted: 'bg-muted',
};

const placed = (place: number): CSSProperties => ({ left: `${place * 100}%` });

/** Entry, stop, targets and liquidation to scale: red is what may be lost, green what may be won. */
function Ladder({ preview, decimals }: { preview: OrderPreview; decimals: number | undefined }) {
  const rungs = ladderOf(preview);
  if (rungs.length < 2) return null;
  const at = (name: string): number | undefined => rungs.find((rung) => rung.name === name)?.place;
  const entry = at('Entry');
  const targets = rungs.filter(({ name }) => name.startsWith('Target')).map(({ place }) => place);
  const furthest = targets.toSorted((a, b) => Math.abs(b - (entry ?? 0)) - Math.abs(a - (entry ?? 0)))[0];
  const text = rungs.map(({ name, price }) => `${name} ${formatPrice(price, decimals)}`).join(', ');
  const zone = (from: number | undefined, to: number | undefined, className: string) =>
    from !== undefined &&
    to !== undefined && (
      <span
        className={`absolute inset-y-0 ${className}`}
        style={{ left: `${Math.min(from, to) * 100}%`, width: `${Math.abs(from - to) * 100}%` }}
      />
    );
  return (
    <div role="img" aria-label={`Price ladder, lowest first: ${text}`} className="px-2 pt-1">
      <div className="relative h-2.5 overflow-hidden rounded-full bg-line">
        {zone(at('Stop'), entry, 'bg-down opacity-60')}
        {zone(entry, furthest, 'bg-up opacity-60')}
      </div>
      <div className="relative -mt-4 h-5.5">
        {rungs.map(({ name, place, tone }) => (
          <span
            key={name}
            className={`absolute inset-y-0 w-0.5 -translate-x-1/2 rounded-full ${tones[tone]}`}
            style={placed(place)}
          />
        ))}
      </div>
      <ul aria-hidden="true" className="flex flex-wrap justify-between gap-x-3 text-label">
        {rungs.map(({ name, price, tone }) => (
          <li key={name} className="flex items-center gap-1">
            <span className={`size-2 rounded-full ${tones[tone]}`} />
            <span className="text-muted">{name}</span> {formatPrice(price, decimals)}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface Props {
  preview: OrderPreview | undefined;
  /** False: the figures are those of the order before the last edit. */
  isCurrent: boolean;
  contract: Contract;
}

/** Picture and figures of the order, by the server. */
export function TicketFigures({ preview, isCurrent, contract }: Props) {
  const { decimals } = contract;
  const rules = rulesText(contract);
  if (preview === undefined) return <SkeletonRows rows={8} height={14} />;
  return (
    <section
      aria-label="Figures of the order"
      aria-busy={!isCurrent}
      className={`flex flex-col gap-2 ${isCurrent ? '' : 'opacity-60'}`}
    >
      {preview.action !== 'close' && preview.action !== 'reduce' && <Ladder preview={preview} decimals={decimals} />}
      <dl className="text-label">
        {figureRows(preview, decimals).map(({ name, value, tone = '' }) => (
          <div key={name} className="flex justify-between gap-3 border-b border-line py-0.5">
            <dt className="text-muted">{name}</dt>
            <dd className={`text-right font-medium ${tone}`}>{value}</dd>
          </div>
        ))}
      </dl>
      {rules !== null && <p className="text-label text-muted">{rules}</p>}
      {preview.notes.map((text) => (
        <Notice key={text} tone="info">
          {text}
        </Notice>
      ))}
    </section>
  );
}
