import { ANALYSIS_TRADES_MIN } from '@sextant/engine-as/abi/backtest.ts';
import { BadgeCheck, Braces, ChartCandlestick, CircleDollarSign, Database, SlidersHorizontal } from 'lucide-react';
import { CallToAction } from './CallToAction.tsx';
import { type Card, Facts, PointList, RotatingCards, ROTATION_MS } from './PublicLists.tsx';
import { PageHead } from './PageHead.tsx';
import { Tour } from './Tour.tsx';

const features: readonly Card[] = [
  {
    icon: ChartCandlestick,
    title: 'Backtest lab',
    text: 'Up to thirteen indicators vote; their score opens a trade at the next open. See every entry and exit on the chart. Save the trades as CSV.',
  },
  {
    icon: CircleDollarSign,
    title: 'Costs as the exchange charges them',
    text: 'Fees by order type, slippage, wider slippage on stops, settled funding, isolated-margin liquidation. See what each one cost.',
  },
  {
    icon: SlidersHorizontal,
    title: 'Sliders with instant results',
    text: 'Thirteen weights, entry threshold, stop, target, trailing. Each change reruns the whole window in your browser. See which setting drives the result.',
  },
  {
    icon: BadgeCheck,
    title: 'Verify on the server',
    text: 'The server repeats your run. Compare hashes of engine, candles, parameters and result side by side.',
  },
  {
    icon: Database,
    title: 'Exchange candles or your own',
    text: 'Test closed candles of Binance, Bybit and OKX perpetuals, with source, age and gaps. Or run your own CSV file, read on your machine.',
  },
  {
    icon: Braces,
    title: 'An API and a command line',
    text: 'Symbols, prices, candles, funding, indicators and backtests over REST with an OpenAPI document. The command line runs the same engine: indicators, backtest, optimise, honesty figures.',
  },
];

const limits = [
  ['It places no orders', 'Positions are simulated. You trade on your own exchange.'],
  ['It does not predict', 'A backtest shows what rules would have done on known candles.'],
  ['It sells no certainty', `Below ${ANALYSIS_TRADES_MIN} trades, treat every rate as unreliable; a note warns you.`],
] as const;

export function FeaturesPage() {
  return (
    <>
      <PageHead title="Tools for traders who check" lead="Everything here works today.">
        <CallToAction to={['login', 'how']} className="mt-6" />
      </PageHead>
      <RotatingCards
        title="What you can do"
        cards={features}
        everyMs={ROTATION_MS.features}
        columns="md:grid-cols-2 lg:grid-cols-3"
      />
      <Tour />
      <section aria-labelledby="limits">
        <h2 id="limits" className="text-page font-semibold">
          What it does not do
        </h2>
        <PointList points={limits} columns="md:grid-cols-3" />
      </section>
      <Facts />
    </>
  );
}
