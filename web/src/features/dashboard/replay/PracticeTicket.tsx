import { LEVERAGE_MAX } from '@sextant/engine-as/abi/costs.ts';
import type { PracticeField, PracticeProblem } from '@sextant/workers/src/positions/practiceOrder.ts';
import type { PracticePreview } from '@sextant/workers/src/protocol/practice.ts';
import { formatMoney, formatPrice, formatQuantity, signTone } from '../../../format/number.ts';
import { NumberField } from '../../../ui/NumberInput.tsx';
import { PriceField } from '../../../ui/PriceField.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { withTarget } from '../../shared/targets/targetDraft.ts';
import { TargetRows } from '../../shared/targets/TargetRows.tsx';
import { type DraftTerms, type PracticeDraft, problemOf, withSide } from './practiceTicket.ts';

const sides = ['LONG', 'SHORT'] as const;
const types = ['market', 'limit', 'stop'] as const;
const sideNames = { LONG: 'Buy', SHORT: 'Sell' };
const NOTIONAL_MAX = 1e9;
const typeNames = { market: 'Market', limit: 'Limit', stop: 'Stop entry' };

interface Props {
  draft: PracticeDraft;
  onEdit: (draft: PracticeDraft) => void;
  terms: DraftTerms;
  decimals: number;
  /** Preview of this draft; null while it is computed or cannot be placed. */
  preview: PracticePreview | null;
  /** What only the simulator sees: why the draft cannot be placed. */
  simulated: PracticeProblem | null;
  /** No position and no order holds the account. */
  isFree: boolean;
  onPlace: () => void;
}

/** Order of the replay: it fills on the candles that follow. */
export function PracticeTicket({ draft, onEdit, terms, decimals, preview, simulated, isFree, onPlace }: Props) {
  const { side, type, notional, leverage, price, stopPrice, targets } = draft;
  const { tickSize, leverageMax } = terms.contract;
  const problem = problemOf(draft, terms) ?? simulated;
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
        <NumberField
          isSmall
          label="Notional"
          unit="USDT"
          value={notional}
          min={1}
          max={NOTIONAL_MAX}
          step={100}
          decimals={2}
          problem={problemAt('notional')}
          onChange={(value) => edit({ notional: value })}
        />
        <NumberField
          isSmall
          label="Leverage"
          unit="x"
          value={leverage}
          min={1}
          max={leverageMax ?? LEVERAGE_MAX}
          step={1}
          decimals={0}
          problem={problemAt('leverage')}
          onChange={(value) => edit({ leverage: value })}
        />
        {type !== 'market' && (
          <PriceField
            isSmall
            tickSize={tickSize}
            label={type === 'limit' ? 'Limit price' : 'Stop price'}
            value={price}
            decimals={decimals}
            problem={problemAt('price')}
            onChange={(value) => edit({ price: value })}
            onClear={() => edit({ price: null })}
          />
        )}
        <PriceField
          isSmall
          tickSize={tickSize}
          label="Stop loss"
          value={stopPrice}
          decimals={decimals}
          problem={problemAt('stop')}
          onChange={(value) => edit({ stopPrice: value })}
          onClear={() => edit({ stopPrice: null })}
        />
        <div className="col-span-full">
          <TargetRows
            isOptional
            isSmall
            targets={targets}
            withNext={withTarget(targets, null)}
            tickSize={tickSize}
            decimals={decimals}
            problem={problemAt('targets')}
            onChange={(next) => edit({ targets: next })}
            onClear={(at) =>
              edit({ targets: targets.map((each, row) => (row === at ? { ...each, price: null } : each)) })
            }
          />
        </div>
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

/** What the order would lose and gain. */
function Figures({ preview, decimals }: { preview: PracticePreview | null; decimals: number }) {
  if (preview === null) return null;
  const rows = [
    { name: 'Fill', value: formatPrice(preview.entryPrice, decimals), tone: '' },
    { name: 'Quantity', value: formatQuantity(preview.quantity), tone: '' },
    { name: 'Margin', value: `${formatMoney(preview.margin)} USDT`, tone: '' },
    ...(preview.liquidationPrice === null
      ? []
      : [{ name: 'Liquidation', value: formatPrice(preview.liquidationPrice, decimals), tone: '' }]),
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
