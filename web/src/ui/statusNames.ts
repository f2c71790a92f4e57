import type { components } from '../api/schema.gen.ts';

type Incident = components['schemas']['StatusAnswer']['incidents'][number];

/** What the probes call each part of the service. */
export const statusPartNames: Record<Incident['part'], string> = {
  signals: 'Signal API',
  database: 'Database',
  binance: 'Binance',
  bybit: 'Bybit',
  okx: 'OKX',
  mail: 'Mail',
  coins: 'Coin payments',
  cards: 'Card payments',
  ai: 'AI model',
  feeds: 'News feeds',
  telegram: 'Telegram',
  storage: 'File storage',
  service: 'Whole service',
};
