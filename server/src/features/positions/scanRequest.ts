import { checkOutcome } from '@sextant/workers/src/signals/signalChecks.ts';
import type { CheckedResult } from '../scan/checkedResults.ts';
import type { ChosenStrategy } from '@sextant/workers/src/signals/signalRules.ts';
import type { OpeningRequest } from './decideOpening.ts';

export type ScanResult = CheckedResult;

/** Options to open a scan result automatically. An approved correction replaces the levels; a soft approval scales the size. */
export function requestOfResult(result: ScanResult, strategy?: ChosenStrategy): OpeningRequest {
  return {
    ...ofStrategy(result, strategy),
    ...common(result),
    source: 'scan',
    riskMultiplier: result.suggestedRiskMultiplier ?? 1,
    sizing: { by: 'settings' },
    check: checkOutcome(result),
  };
}

/** The same result opened manually: sized as shown by the scanner, with or without an AI check. */
export const handRequestOfResult = (result: ScanResult, strategy?: ChosenStrategy): OpeningRequest => ({
  ...ofStrategy(result, strategy),
  ...common(result),
  source: 'manual',
  riskMultiplier: 1,
  sizing: { by: 'settings' },
});

const ofStrategy = ({ meta }: ScanResult, strategy?: ChosenStrategy) =>
  strategy === undefined ? {} : { strategy, range: meta.atr };

function common(result: ScanResult) {
  const { symbol, interval, direction, confidence, price, stopLoss, takeProfit, correction } = result;
  const own = stopLoss === null || takeProfit === null ? null : { stopLoss, takeProfit };
  return {
    symbol,
    direction,
    confidence,
    confidenceKind: result.confidence_kind,
    interval: interval as OpeningRequest['interval'],
    signalPrice: price,
    levelsOf: correction === null ? ('signal' as const) : ('correction' as const),
    levels:
      correction === null ? own : { stopLossPct: correction.stop_loss_pct, takeProfitPct: correction.take_profit_pct },
  };
}
