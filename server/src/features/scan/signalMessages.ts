import type { NotificationPayloads } from '../notifications/kinds.ts';
import type { StoredResults } from './contract.ts';

/** Messages about a signal of a scan: one, or none without a direction. */
export const signalMessagesOf =
  (scanId: string) =>
  (signal: StoredResults['all'][number]): NotificationPayloads['signal_created'][] =>
    signal.direction === 'NEUTRAL'
      ? []
      : [
          {
            signal_id: signal.signal_id,
            scan_id: scanId,
            exchange: signal.exchange,
            symbol: signal.symbol,
            interval: signal.interval,
            direction: signal.direction,
            confidence: signal.confidence,
            confidence_kind: signal.confidence_kind,
            risk_label: signal.riskLabel,
            price: signal.price,
            stop_loss: signal.stopLoss,
            take_profit: signal.takeProfit,
            candle_close_at: signal.candle_close_at,
            eligible: signal.outcome === 'ELIGIBLE',
            outcome: signal.outcome,
            filtered_by: signal.filtered_by,
          },
        ];
