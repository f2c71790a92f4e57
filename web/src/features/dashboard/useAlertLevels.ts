import { useMemo } from 'react';
import { useAlerts } from '../../api/alerts.ts';
import type { ChartLevel } from '../../charts/chartModel.ts';

/** Lines of the active price alerts on a symbol. */
export function useAlertLevels(exchange: string | undefined, symbol: string | null): ChartLevel[] {
  const alerts = useAlerts().data?.alerts;
  return useMemo(
    () =>
      (alerts ?? []).flatMap(({ state, condition }) =>
        state === 'active' &&
        condition.kind === 'price' &&
        condition.symbol === symbol &&
        condition.exchange === exchange
          ? [{ price: condition.level, label: 'alert', colour: 'accent' as const }]
          : [],
      ),
    [alerts, exchange, symbol],
  );
}
