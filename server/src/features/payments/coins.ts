import { parseDecimal, formatDecimal, multiplyDecimals } from '../../platform/decimal.ts';
import type { PaymentMethod } from './states.ts';

interface Coin {
  /** Name of the coin. */
  name: string;
  /** Network in words: money on another network is lost. */
  network: string;
  /** The provider's name of coin and network. */
  payCurrency: string;
  /** Content of the QR code, as wallets of the network read it. */
  paymentUri: (address: string, amount: string) => string;
  transactionUrl: (hash: string) => string;
}

const BSC_CHAIN_ID = 56;
const weiOf = (amount: string): string => formatDecimal(multiplyDecimals(parseDecimal(amount), parseDecimal('1e18')));

/** The coins that are taken, each on one network. */
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

/** A coin by the provider's name of coin and network: in our words where it is one of ours, e.g. `USDT`. */
export const coinNameOf = (payCurrency: string): string =>
  Object.values(coins).find((coin) => coin.payCurrency === payCurrency)?.name ?? payCurrency.toUpperCase();

const methodNames = { usdt: 'usdt', usdttrc20: 'usdt', bnb: 'bnb', bnbbsc: 'bnb' } as const;
/** The method a caller means by either name of a coin. */
export const methodOf = (name: keyof typeof methodNames): Exclude<PaymentMethod, 'card'> => methodNames[name];

/** A method in words, with its network. */
export const methodNameOf = (method: PaymentMethod): string =>
  method === 'card' ? 'Card' : `${coins[method].name} on ${coins[method].network}`;
