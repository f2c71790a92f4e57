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
    text: 'Votes of up to thirteen indicators make a score; the score opens a trade at the next open. Every entry and exit is on the chart, every trade in a table you can save as CSV.',
  },
  {
    icon: CircleDollarSign,
    title: 'Costs as the exchange charges them',
    text: 'Fees by order type, slippage, wider slippage on stops, settled funding, isolated-margin liquidation. The waterfall shows what each of them took.',
  },
  {
    icon: SlidersHorizontal,
    title: 'Sliders that answer at once',
    text: 'Thirteen weights, entry threshold, stop, target, trailing. Each change runs the whole window again in your browser, so you see which setting carries the result.',
  },
  {
    icon: BadgeCheck,
    title: 'Verify on the server',
    text: 'The server repeats your run. Hashes of engine, candles, parameters and result stand side by side: equal to the last bit, or shown as different.',
  },
  {
    icon: Database,
    title: 'Exchange candles or your own',
    text: 'Closed candles of perpetuals on Binance, Bybit and OKX with their source, age and gaps, or a CSV file that is read on your machine and never uploaded to run.',
  },
  {
    icon: Braces,
    title: 'An API and a command line',
    text: 'Symbols, prices, candles, funding, indicators and backtests over REST with an OpenAPI document. The command line runs the same engine: indicators, backtest, optimise, honesty figures.',
  },
];

const limits = [
  ['It places no orders', 'Positions are simulated. What you do on your exchange stays between you and the exchange.'],
  ['It does not predict', 'A backtest says what rules would have done on known candles. It is no forecast.'],
  [
    'It sells no certainty',
    `Below ${ANALYSIS_TRADES_MIN} trades every rate is mostly luck; a note beside the figure warns you.`,
  ],
] as const;

export function FeaturesPage() {
  return (
    <>
      <PageHead
        title="Tools for traders who check"
        lead="What the product does today, and what it leaves out. Nothing on this page is planned or coming."
      >
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
