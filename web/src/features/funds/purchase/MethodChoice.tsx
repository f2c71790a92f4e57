import { useId } from 'react';
import { formatAmount } from '../../../format/number.ts';
import { methodText } from '../../../format/paymentNames.ts';
import type { CoinMethodInfo } from './PurchasePage.tsx';

interface Props {
  coins: readonly CoinMethodInfo[];
  chosen: CoinMethodInfo;
  onChoose: (info: CoinMethodInfo) => void;
}

/** Coin and network are one choice: coins sent on another network are lost. */
export function MethodChoice({ coins, chosen, onChoose }: Props) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-label font-medium">Pay with</legend>
      <div className="grid gap-2 md:grid-cols-2">
        {coins.map((info) => (
          <label
            key={info.method}
            className={`flex cursor-pointer items-start gap-2 rounded border p-3 has-focus-visible:outline-2 has-focus-visible:outline-accent ${
              info === chosen ? 'border-accent bg-accent-soft' : 'border-line hover:border-muted'
            }`}
          >
            <input
              type="radio"
              name={name}
              className="mt-0.5 size-4 accent-[var(--accent)]"
              checked={info === chosen}
              onChange={() => onChoose(info)}
            />
            <span className="flex min-w-0 flex-col">
              <span className="font-semibold">{methodText(info)}</span>
              <span className="text-label text-muted">From {formatAmount(info.minimum_usd)} USD</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
