import { reconcileCauses } from '@sextant/workers/src/positions/reconcile.ts';
import { z } from 'zod';
import { notComparableReasons } from './reconciliationRepository.ts';

const Instant = z.iso.datetime();
const Usdt = z.number();

export const ReconciliationCause = z.enum(reconcileCauses).meta({
  description:
    'revision: candles revised after the close. entry: price and delay. slippage: of the lab and of the fill. mark: mark price ' +
    'against last. exit: fill of the exit. size, fees, funding: as named.',
});
export const NotComparableReason = z.enum(notComparableReasons);
export const ReconciliationPart = z.object({ cause: ReconciliationCause, amount: Usdt });

const results = {
  lab_net: Usdt,
  live_net: Usdt,
  difference: Usdt.meta({ description: 'live_net less lab_net; the parts and the rest sum to it.' }),
  parts: z.array(ReconciliationPart).meta({ description: 'Every cause, in the order of substitution.' }),
  rest: Usdt.meta({ description: 'Difference without a cause: 0, else a bug that the service reports.' }),
};

export const LabTrade = z.object({
  entry_price: z.number(),
  entered_at: Instant,
  quantity: z.number(),
  exit_price: z.number(),
  exited_at: Instant,
  exit_reason: z
    .enum(['LIQ', 'SL', 'TP', 'TIME', 'SIGNAL'])
    .nullable()
    .meta({ description: 'null: still open when the live position closed, valued at the close of that minute.' }),
});
export const FundingForecast = z
  .object({
    count: z.int().meta({ description: 'Settlements it paid whose rate was announced half an hour before.' }),
    error: Usdt.meta({ description: 'Paid at the settled rates less at the announced ones; positive: it paid more.' }),
    mean_error_pct: z.number().meta({ description: 'Mean of the settled less the announced rate, percent.' }),
  })
  .nullable()
  .meta({ description: 'Error of the announced funding rates; null: none is stored, which is so after 30 days.' });
export const PositionReconciliation = z.object({
  state: z.enum(['open', 'pending', 'by_hand', 'compared', 'not_comparable']).meta({
    description: 'pending: compared within minutes of the close. by_hand: not opened automatically.',
  }),
  reason: NotComparableReason.nullable(),
  comparison: z
    .object({ ...results, lab: LabTrade, funding_forecast: FundingForecast, compared_at: Instant })
    .nullable(),
});

export const ReconciliationTotals = z.object({
  name: z.string().meta({ description: 'Strategy; `Live rules` without one; `All` of the whole.' }),
  count: z.int(),
  ...results,
});
export const ReconciliationResponse = z.object({
  all: ReconciliationTotals,
  by_strategy: z.array(ReconciliationTotals).meta({ description: 'By count, largest first, at most 50.' }),
  not_comparable: z.array(z.object({ reason: NotComparableReason, count: z.int() })),
  unexplained: z.int().meta({ description: 'Comparisons with a rest other than 0.' }),
});
