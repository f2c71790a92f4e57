/** A page without sign-in. Its file name in the build is its path. */
export interface PublicPage {
  path: string;
  /** Title of the browser tab, of search results and of shared links. */
  title: string;
  description: string;
  /** The product links to it, so signed-in users see it too; on every other public URL they get the product. */
  isForAll?: true;
}

export const publicPages = [
  {
    path: '/',
    title: 'Sextant: crypto futures backtests you can check to the bit',
    description:
      'A professional trading platform for crypto futures. Backtest perpetuals in your browser with fees, slippage, funding and liquidation, and verify the run on the server.',
  },
  {
    path: '/features',
    title: 'Features · Sextant',
    description:
      'Backtests on closed candles with every cost charged and results verified on the server. Data of Binance, Bybit and OKX, your own CSV files, and an API.',
  },
  {
    path: '/how',
    title: 'How it works · Sextant',
    description:
      'Choose candles, set the rules, run the engine in your browser, have the server check the bits. And how each figure on these pages is measured.',
  },
  {
    path: '/security',
    title: 'Security · Sextant',
    description:
      'No exchange API keys, no withdrawal access, funds stay in your own exchange accounts. Row-level security in the database and multi-factor authentication.',
  },
  {
    path: '/faq',
    title: 'Questions and answers · Sextant',
    description: 'Twelve answers about starting, costs, simulated positions, credits, data and security.',
  },
  {
    path: '/login',
    title: 'Sign in · Sextant',
    description: 'Sign in to Sextant or make an account with an email address and a password.',
  },
  {
    path: '/privacy-policy',
    title: 'Privacy policy · Sextant',
    description: 'What this software stores about you, who else sees any of it, and what you can do about it.',
  },
  {
    path: '/terms-of-service',
    title: 'Terms of service · Sextant',
    description: 'What the service is, the rules of an account and of credits, and the risk that stays with you.',
  },
  {
    path: '/scoreboard',
    title: 'Scoreboard · Sextant',
    description:
      'Outcome of every signal, losers included: hit rate after fees with its interval, reliability curve, Brier score, calibration error, and what the AI check added beside a blind veto.',
  },
  {
    path: '/status',
    isForAll: true,
    title: 'Status · Sextant',
    description:
      'Live status and uptime of the signal API, the database and each exchange, with every incident of the last 90 days.',
  },
  {
    path: '/help',
    title: 'Help centre · Sextant',
    description:
      'How Sextant works, tab by tab: backtests and what their figures say, signals, simulated positions, credits, the API, and what to do when something fails.',
  },
] as const satisfies readonly PublicPage[];

/** Whether signed-in users see this public page as well. */
export const isForAll = (path: string): boolean =>
  publicPages.some((page: PublicPage) => page.path === path && page.isForAll === true);

/** Each help article has a page below this path. */
export const helpArticles = '/help/';

export type PublicPath = (typeof publicPages)[number]['path'];

/** Where links in emails land. They are public, in no menu, and excluded from search results. */
export const landingPaths: readonly string[] = [
  '/forgot-password',
  '/reset-password',
  '/confirm-email',
  '/confirm-new-email',
  '/outbox',
];
