import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../../api/failure.ts';
import { fetchCandles } from '../../../api/market.ts';
import type { Scan, ScanSignal } from '../../../api/types.ts';
import { enginePool } from '../../../engine/enginePool.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { reproduce, type Reproduction } from './reproduce.ts';

const SHOWN_CHARACTERS = 22;

/** Computes the signal again with the engine of this browser and says whether it is the same, bit by bit. */
export function ReproducePanel({ signal, params }: { signal: ScanSignal; params: Scan['params'] }) {
  const run = useMutation({
    mutationFn: async () => reproduce(signal, params, { engine: await enginePool(), candles: fetchCandles }),
  });
  return (
    <section className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <h3 className="font-semibold">Check the calculation</h3>
        <button type="button" className="btn btn-small" disabled={run.isPending} onClick={() => run.mutate()}>
          Reproduce in my browser
        </button>
      </div>
      {run.isError && (
        <Notice tone="error">
          It could not be computed here: {messageOf(run.error, 'the engine gave no answer.')}
        </Notice>
      )}
      {run.data !== undefined && <Verdict {...run.data} />}
    </section>
  );
}

function Verdict({ rows, isEqual, isSameData }: Reproduction) {
  return (
    <div data-testid="reproduction" data-equal={isEqual} className="flex flex-col gap-2">
      <Notice tone={isEqual ? 'info' : 'warn'}>{verdictText(isEqual, isSameData)}</Notice>
      <dl className="text-label">
        {rows.map(({ name, server, browser, isEqual: isSame }) => (
          <div
            key={name}
            className={`flex justify-between gap-3 border-b border-line py-1 ${isSame ? '' : 'bg-warn-soft'}`}
          >
            <dt className="text-muted">{name}</dt>
            <dd className="text-right font-mono">
              {server.slice(0, SHOWN_CHARACTERS)}
              {!isSame && <span className="block text-warn">here {browser.slice(0, SHOWN_CHARACTERS)}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function verdictText(isEqual: boolean, isSameData: boolean): string {
  if (isEqual) return 'Identical to the last bit: engine, candles, rules and every figure.';
  if (isSameData) return 'The candles are the same, the figures are not. Rules or engine have changed since the scan.';
  return 'The exchange no longer returns the candles of the scan, so the figures cannot be compared.';
}
