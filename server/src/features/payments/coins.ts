import { parseDecimal, formatDecimal, multiplyDecimals } from '@sextant/workers/src/core/decimal.ts';
import type { PaymentMethod } from './states.ts';

interface Coin {
  /** Name of the coin. */
  name: string;
  /** Network as shown to users: money sent on another network is lost. */
  network: string;
  /** The provider's code of coin and network. */
  payCurrency: string;
  /** Content of the QR code for wallets of the network. */
  paymentUri: (address: string, amount: string) => string;
  transactionUrl: (hash: string) => string;
}

const BSC_CHAIN_ID = 56;
const weiOf = (amount: string): string => formatDecimal(multiplyDecimals(parseDecimal(amount), parseDecimal('1e18')));

/** The accepted coins, each on one network. */
export const coins: Readonly<Record<Exclude<PaymentMethod, 'card'>, Coin>> = {
  usdt: {
    name: 'USDT',
    network: 'TRON (TRC-20)',
    payCurrency: 'usdttrc20',
    paymentUri: (address, amount) => `tron:${address}?amount=${amount}`,
    transactionUrl: (hash) => `https://tronscan.org/#/transaction/${encodeURIComponent(hash)}`,
  },
  bnb: {
    name: 'BNB',
    network: 'BNB Smart Chain (BEP-20)',
    payCurrency: 'bnbbsc',
    // EIP-681: the amount is in wei.
    paymentUri: (address, amount) => `ethereum:${address}@${BSC_CHAIN_ID}?value=${weiOf(amount)}`,
    transactionUrl: (hash) => `https://bscscan.com/tx/${encodeURIComponent(hash)}`,
  },
};

/** Name of a coin for the provider's code of coin and network, e.g. `USDT`; the code itself for an unknown coin. */
export const coinNameOf = (payCurrency: string): string =>
  Object.values(coins).find((coin) => coin.payCurrency === payCurrency)?.name ?? payCurrency.toUpperCase();

const methodNames = { usdt: 'usdt', usdttrc20: 'usdt', bnb: 'bnb', bnbbsc: 'bnb' } as const;
/** The payment method for either name of a coin. */
export const methodOf = (name: keyof typeof methodNames): Exclude<PaymentMethod, 'card'> => methodNames[name];

/** Display name of a method, with its network. */
export const methodNameOf = (method: PaymentMethod): string =>
  method === 'card' ? 'Card' : `${coins[method].name} on ${coins[method].network}`;
