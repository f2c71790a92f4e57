import { registerPriceActions } from '../../charts/priceActions.ts';
import { openTicket } from '../../state/ticket.ts';

/** Positions are simulated on this exchange. */
const EXCHANGE = 'binance';

/** Adds the orders to the price menu of every chart. @returns removes them */
export const registerOrderActions = (): (() => void) =>
  registerPriceActions(({ exchange, symbol, interval }) => {
    if (exchange !== EXCHANGE) return [];
    const entry = (side: 'LONG' | 'SHORT', type: 'limit' | 'stop') => ({
      id: `${side}-${type}`,
      label: (price: string) =>
        `${side === 'LONG' ? 'Buy' : 'Sell'} ${type === 'limit' ? 'limit' : 'stop'} at ${price}`,
      run: (price: number) => openTicket({ symbol, side, type, price, interval }),
    });
    return [entry('LONG', 'limit'), entry('SHORT', 'limit'), entry('LONG', 'stop'), entry('SHORT', 'stop')];
  });
