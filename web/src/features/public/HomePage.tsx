import { CandlestickChart, CircleDollarSign, ShieldAlert, Sigma } from 'lucide-react';
import { CallToAction } from './CallToAction.tsx';
import { DemoPanel } from './DemoPanel.tsx';
import { Facts } from './Facts.tsx';
import { MarketLine } from './MarketLine.tsx';
import { Measured } from './Measured.tsx';
import { PageHead } from './PageHead.tsx';
import { type Card, RotatingCards } from './RotatingCards.tsx';
import { SameBits } from './SameBits.tsx';
import { ROTATION_MS } from './useRotation.ts';

const rules: readonly Card[] = [
  {
    icon: CandlestickChart,
    title: 'Decided on the closed candle',
    text: 'A trade fills at the next open. No signal ever sees the bar it trades in.',
  },
  {
    icon: ShieldAlert,
    title: 'Stop before target',
    text: 'When one bar holds both, the stop is taken first, and the other bound is shown beside it.',
  },
  {
    icon: CircleDollarSign,
    title: 'Every cost charged',
    text: 'Taker and maker fees, slippage, wider slippage on stops, gaps at the open, liquidation on isolated margin.',
  },
  {
    icon: Sigma,
    title: 'No number that misleads',
    text: 'A Sharpe ratio on ten days reads “not enough data”. Open trades at the end are counted apart.',
  },
];

/** What Sextant is, in ten seconds: the promise, the proof of it, the rules it rests on. */
export function HomePage() {
  return (
    <>
      <section className="grid items-center gap-10 lg:grid-cols-[1fr_600px] lg:gap-14">
        <div>
          <p className="mb-3 text-section font-medium text-accent">
            A professional trading platform for crypto futures
          </p>
          <PageHead
            title="Know what your futures strategy would have done. To the bit."
            lead="Sextant backtests crypto perpetuals in your browser with fees, slippage and liquidation, shows each trade on the chart, and lets the server repeat the run. Same candles, same parameters, same hash."
          />
          <CallToAction to={['login', 'features', 'how']} className="mt-6" />
          <MarketLine />
        </div>
        <DemoPanel />
      </section>
      <RotatingCards
        title="Strict where backtests usually flatter"
        cards={rules}
        everyMs={ROTATION_MS.home}
        columns="md:grid-cols-2 lg:grid-cols-4"
      />
      <section aria-labelledby="bits" className="grid items-center gap-8 lg:grid-cols-[1fr_520px]">
        <div>
          <h2 id="bits" className="text-page font-semibold">
            The same bits, here and there
          </h2>
          <p className="mt-2 max-w-130 text-section leading-[24px] text-muted">
            The run above came out of the file that the server uses. Signed in, one button has the server repeat your
            run on the same candles, and both sets of hashes stand side by side.
          </p>
        </div>
        <SameBits />
      </section>
      <Facts />
      <Measured />
    </>
  );
}
