/**
 * The parts of the product in the order of a working day, each with a screenshot that `web/prerender/drawTour.ts` takes of the running
 * product.
 */
export const tourParts = [
  {
    id: 'signals',
    title: 'Signals',
    text: 'A scan scores the closed candles of every symbol you watch and ranks the signals. Each has entry, stop and target, with the track record of similar ones.',
  },
  {
    id: 'auto',
    title: 'Automatic positions',
    text: 'Signals open simulated positions within your limits: size by risk, trailing stop, guards for loss and exposure. Skipped signals show why.',
  },
  {
    id: 'arbitrage',
    title: 'Arbitrage',
    text: 'Best prices and order books of Binance, Bybit and OKX side by side, net of fees, depth and funding, with how long such spreads last.',
  },
  {
    id: 'vision',
    title: 'Vision',
    text: 'Drop a picture of a candle chart. It is read pixel by pixel, found in the market, and each statement says whether it is verified.',
  },
  {
    id: 'news',
    title: 'News',
    text: 'Stories of several sources, grouped by event and tied to symbols. Sources are weighted by past price moves.',
  },
  {
    id: 'help',
    title: 'Help',
    text: 'Articles on every screen and figure, a search, and an assistant that cites them.',
  },
  {
    id: 'api',
    title: 'API',
    text: 'Everything over REST with an OpenAPI document, keys with scopes, streams and signed webhooks. Each call can be tried on its page.',
  },
  {
    id: 'agents',
    title: 'Agents',
    text: 'An MCP server for AI agents: candles, signals and backtests as tools. Each result comes with the honesty verdict, and no tool trades.',
  },
] as const;

export type TourId = (typeof tourParts)[number]['id'];
export const tourThemes = ['dark', 'light'] as const;

/** CSS pixels of the pictures, which are taken as they are shown at most. */
export const TOUR_SIZE = { width: 960, height: 600 } as const;
export const tourPicture = (id: TourId, theme: (typeof tourThemes)[number]): string => `/tour/${id}-${theme}.webp`;
