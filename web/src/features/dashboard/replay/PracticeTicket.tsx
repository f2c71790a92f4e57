import { PRACTICE_TARGETS_MAX, type PracticeField } from '@sextant/workers/src/positions/practiceOrder.ts';
import type { PracticePreview } from '@sextant/workers/src/protocol/practice.ts';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { formatMoney, formatPrice, signTone } from '../../../format/number.ts';
import { Field } from '../../../ui/Field.tsx';
import { NumberInput } from '../../../ui/NumberInput.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { type PracticeDraft, problemOf, sharesOf, type TargetDraft, withSide, withTarget } from './practiceTicket.ts';

const sides = ['LONG', 'SHORT'] as const;
const types = ['market', 'limit', 'stop'] as const;
const sideNames = { LONG: 'Buy', SHORT: 'Sell' };
const typeNames = { market: 'Market', limit: 'Limit', stop: 'Stop entry' };
const PRICE_MAX = 1e9;

interface NumberProps {
  label: string;
  value: number | null;
  decimals: number;
  min?: number;
  max?: number;
  step?: number;
  unit?: string;
  isDisabled?: boolean;
  problem?: string | undefined;
  onChange: (value: number) => void;
  onClear?: () => void;
}

function TicketNumber({ label, problem, decimals, min, max = PRICE_MAX, step, ...input }: NumberProps) {
  const [typed, setTyped] = useState<string>();
  const least = 10 ** -decimals;
  return (
    <Field label={label} error={typed ?? problem}>
      {(ids) => (
        <NumberInput
          {...ids}
          {...input}
          min={min ?? least}
          max={max}
          step={step ?? least}
          decimals={decimals}
          isSmall
          onError={setTyped}
        />
      )}
    </Field>
  );
}

interface Props {
  draft: PracticeDraft;
  onEdit: (draft: PracticeDraft) => void;
  /** Close of the last candle. */
  last: number;
  /** USDT of the account. */
  equity: number;
  decimals: number;
  /** Of this draft; null while it is computed or cannot be placed. */
  preview: PracticePreview | null;
  /** No position and no order holds the account. */
  isFree: boolean;
  onPlace: () => void;
}

/** Order of the replay: it fills on the candles that follow. */
export function PracticeTicket({ draft, onEdit, last, equity, decimals, preview, isFree, onPlace }: Props) {
  const { side, type, notional, price, stopPrice } = draft;
  const problem = problemOf(draft, last, equity);
  const edit = (change: Partial<PracticeDraft>) => onEdit({ ...draft, ...change });
  const problemAt = (field: PracticeField) => (problem?.field === field ? problem.message : undefined);
  return (
    <form
      noValidate
      aria-label="Practice order"
      className="flex flex-wrap items-start gap-x-3 gap-y-2 border-t border-line p-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === null && isFree) onPlace();
      }}
    >
      <div className="flex flex-col gap-2">
        <Segments
          label="Side"
          options={sides}
          value={side}
          onSelect={(next) => onEdit(withSide(draft, next))}
          nameOf={(each) => sideNames[each]}
          isSmall
        />
        <Segments
          label="Order type"
          options={types}
          value={type}
          onSelect={(next) => edit({ type: next, price: null })}
          nameOf={(each) => typeNames[each]}
          isSmall
        />
      </div>
      <div className="grid min-w-60 flex-1 grid-cols-2 items-start gap-2 sm:grid-cols-3">
        <TicketNumber
          label="Notional"
          unit="USDT"
          value={notional}
          decimals={2}
          min={1}
          step={100}
          problem={problemAt('notional')}
          onChange={(value) => edit({ notional: value })}
        />
        {type !== 'market' && (
          <TicketNumber
            label={type === 'limit' ? 'Limit price' : 'Stop price'}
            value={price}
            decimals={decimals}
            problem={problemAt('price')}
            onChange={(value) => edit({ price: value })}
            onClear={() => edit({ price: null })}
          />
        )}
        <TicketNumber
          label="Stop loss"
          value={stopPrice}
          decimals={decimals}
          problem={problemAt('stop')}
          onChange={(value) => edit({ stopPrice: value })}
          onClear={() => edit({ stopPrice: null })}
        />
        <Targets draft={draft} decimals={decimals} problem={problemAt('targets')} onEdit={onEdit} />
      </div>
      <div className="flex min-w-44 flex-col gap-1">
        <button type="submit" className="btn btn-primary btn-small" disabled={problem !== null || !isFree}>
          {type === 'market' ? `${sideNames[side]} at the next open` : `Place ${sideNames[side].toLowerCase()} ${type}`}
        </button>
        <Figures preview={problem === null ? preview : null} decimals={decimals} />
      </div>
    </form>
  );
}

function Targets({
  draft,
  decimals,
  problem,
  onEdit,
}: Pick<Props, 'draft' | 'decimals' | 'onEdit'> & { problem: string | undefined }) {
  const { targets } = draft;
  const shares = sharesOf(targets);
  const set = (next: readonly TargetDraft[]) => onEdit({ ...draft, targets: next });
  const edit = (at: number, change: Partial<TargetDraft>) =>
    set(targets.map((target, row) => (row === at ? { ...target, ...change } : target)));
  return (
    <fieldset className="col-span-full flex flex-col gap-2">
      <legend className="sr-only">Targets</legend>
      {targets.map(({ price }, at) => (
        <div key={at} className="grid grid-cols-[minmax(0,1fr)_minmax(0,96px)_32px] items-start gap-2">
          <TicketNumber
            label={`Target ${at + 1}`}
            value={price}
            decimals={decimals}
            onChange={(value) => edit(at, { price: value })}
            onClear={() => edit(at, { price: null })}
          />
          <TicketNumber
            label={`Share ${at + 1}`}
            unit="%"
            value={shares[at] ?? null}
            decimals={2}
            min={1}
            max={99}
            step={5}
            isDisabled={at === targets.length - 1}
            onChange={(sharePct) => edit(at, { sharePct })}
          />
          <button
            type="button"
            className="btn btn-ghost btn-icon btn-small mt-5"
            aria-label={`Remove target ${at + 1}`}
            onClick={() => set(targets.filter((_, row) => row !== at))}
          >
            <X size={14} aria-hidden="true" />
          </button>
        </div>
      ))}
      {problem !== undefined && (
        <p role="alert" className="text-label text-down">
          {problem}
        </p>
      )}
      {targets.length < PRACTICE_TARGETS_MAX && (
        <button type="button" className="btn btn-small self-start" onClick={() => set(withTarget(targets))}>
          <Plus size={14} aria-hidden="true" /> Add target
        </button>
      )}
    </fieldset>
  );
}

/** What the order would lose and gain. */
function Figures({ preview, decimals }: { preview: PracticePreview | null; decimals: number }) {
  if (preview === null) return null;
  const rows = [
    { name: 'Fill', value: formatPrice(preview.entryPrice, decimals), tone: '' },
    ...(preview.lossAtStop === null
      ? []
      : [{ name: 'At the stop', value: `${formatMoney(-preview.lossAtStop, true)} USDT`, tone: signTone(-1) }]),
    ...preview.gains.map((gain, at) => ({
      name: `At target ${at + 1}`,
      value: `${formatMoney(gain, true)} USDT`,
      tone: signTone(gain),
    })),
  ];
  return (
    <dl aria-label="Figures of the order" className="text-label">
      {rows.map(({ name, value, tone }) => (
        <div key={name} className="flex justify-between gap-3">
          <dt className="text-muted">{name}</dt>
          <dd className={`tabular ${tone}`}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
