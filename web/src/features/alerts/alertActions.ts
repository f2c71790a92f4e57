import type { AlertCondition } from '@sextant/workers/src/alerts/conditions.ts';
import { registerPriceActions } from '../../charts/priceActions.ts';
import type { Exchange } from '../../data/market.ts';
import { openAlertForm } from '../../state/alertForm.ts';

/** Adds the alert to the price menu of every chart. @returns removes it */
export const registerAlertActions = (): (() => void) =>
  registerPriceActions(({ exchange, symbol }) => [
    {
      id: 'alert',
      label: (price) => `Alert at ${price}`,
      run: (level) => {
        const condition: Partial<AlertCondition> = {
          kind: 'price',
          exchange: exchange as Exchange,
          symbol,
          when: 'cross',
          level,
        };
        openAlertForm({ condition });
      },
    },
  ]);
