import type { ScanSignal } from '../../../api/types.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { isLiquidatedFirst } from './signalText.ts';

/** A stop that can never be reached is no stop. */
export function LiquidationNote({ signal }: { signal: ScanSignal }) {
  if (!isLiquidatedFirst(signal)) return null;
  return (
    <Notice tone="warn">
      At {signal.position.leverage}x the position is liquidated before its stop is reached. Less leverage would keep the
      stop.
    </Notice>
  );
}
