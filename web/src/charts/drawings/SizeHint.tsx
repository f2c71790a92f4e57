import { STOP_SLIPPAGE, venueFees, type VenueId, venueIds } from '@sextant/engine-as/abi/costs.ts';
import { RISK_FRACTIONS, type Size, sizePosition, type SizingMarket } from '@sextant/workers/src/positions/sizing.ts';
import type { Preferences } from '../../api/types.ts';
import { usePreferences } from '../../data/preferences.ts';
import { useSymbols } from '../../data/symbols.ts';
import { formatMoney, formatQuantity } from '../../format/number.ts';
import type { ChartMarket } from '../priceActions.ts';
import type { Drawing } from './drawing.ts';

type SizingSettings = Pick<Preferences, 'balance_usdt' | 'base_usdt' | 'leverage' | 'risk_tolerance'>;

/** Size of a drawn position that loses the risk of the settings at its stop, costs included; null without a stop. */
export function sizeOf(
  { kind, anchors }: Drawing,
  settings: SizingSettings,
  market: SizingMarket,
  venue: VenueId,
): Size | null {
  const [entry, , stop] = anchors;
  if (entry === undefined || stop === undefined || entry.price === stop.price) return null;
  const account = {
    mode: 'risk' as const,
    balanceUsdt: settings.balance_usdt,
    riskFraction: RISK_FRACTIONS[settings.risk_tolerance],
    baseUsdt: settings.base_usdt ?? settings.balance_usdt,
    freeUsdt: settings.balance_usdt,
  };
  const order = {
    side: kind === 'long' ? ('LONG' as const) : ('SHORT' as const),
    price: entry.price,
    stopPrice: stop.price,
    leverage: settings.leverage,
    aiMultiplier: 1,
  };
  const { takerFeeFraction } = venueFees[venue];
  return sizePosition(account, market, order, { takerFeeFraction, stopSlippageFraction: STOP_SLIPPAGE });
}

interface Props {
  drawing: Drawing;
  market: ChartMarket;
}

/** The size of a drawn position for the risk of the settings, as if no other position was open. */
export function SizeHint({ drawing, market: { exchange, symbol } }: Props) {
  const venue = venueIds.find((id) => id === exchange) ?? 'binance';
  const { data: settings } = usePreferences();
  const listed = useSymbols(venue).data?.symbols.find((each) => each.symbol === symbol);
  if (settings == null || listed === undefined) return null;
  const market = {
    tickSize: listed.tick_size,
    stepSize: listed.step_size,
    minNotional: listed.min_notional ?? 0,
    maxLeverage: listed.max_leverage,
    maxQuantity: listed.max_quantity ?? 0,
  };
  const size = sizeOf(drawing, settings, market, venue);
  if (size === null) return <span>Move the stop away from the entry to size it.</span>;
  if (size.refusal !== null) return <span>Too small for your balance and risk at this stop.</span>;
  return (
    <span title="By the balance, risk and leverage of your settings">
      Size {formatQuantity(size.quantity)}, {formatMoney(size.quantity * size.entryPrice)} USDT at {size.leverage}x;
      loses {formatMoney(size.lossAtStopUsdt)} USDT at the stop
      {size.isReduced && ', limited by your balance'}
      {size.isLargestOrder && ', the largest order of the exchange'}
    </span>
  );
}
