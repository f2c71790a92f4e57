import { ArrowRight } from 'lucide-react';
import { Link } from 'wouter';
import { useAppInfo } from '../../api/useSession.ts';
import { MarketingBar } from './MarketingBar.tsx';
import { SameBits } from './SameBits.tsx';

const rules = [
  ['Decided on the closed candle', 'A trade fills at the next open. No signal ever sees the bar it trades in.'],
  ['Stop before target', 'When one bar holds both, the stop is taken first, and the other bound is shown beside it.'],
  [
    'Every cost charged',
    'Taker and maker fees, slippage, wider slippage on stops, gaps at the open, liquidation on isolated margin.',
  ],
  [
    'No number that misleads',
    'A Sharpe ratio on ten days reads “not enough data”. Open trades at the end are counted apart.',
  ],
] as const;

const facts = [
  ['Your funds stay where they are', 'Sextant never touches an exchange account. Positions are simulated.'],
  ['No exchange API keys', 'Market data is public. There is nothing to hand over and nothing to leak.'],
  ['No withdrawal access', 'There is no way to move money, because there is no connection to it.'],
] as const;

/** What Sextant is, in ten seconds: the promise, the proof of it, the rules it rests on. */
export function HomePage() {
  return (
    <>
      <MarketingBar />
      <main className="mx-auto flex w-full max-w-280 flex-col gap-16 px-4 pt-10 pb-16 md:pt-20">
        <section className="grid items-center gap-10 lg:grid-cols-[1fr_520px]">
          <div>
            <h1 className="text-[34px] leading-[40px] font-semibold tracking-tight text-balance md:text-[44px] md:leading-[50px]">
              Know what your futures strategy would have done. To the bit.
            </h1>
            <p className="mt-4 max-w-130 text-section text-muted">
              Sextant backtests crypto perpetuals in your browser with fees, slippage and liquidation, shows each trade
              on the chart, and lets the server repeat the run. Same candles, same parameters, same hash.
            </p>
            <div className="mt-6 flex flex-wrap gap-3">
              <Link href="/login?back=1" className="btn btn-primary h-10 px-5 text-section">
                Run a backtest <ArrowRight size={16} aria-hidden="true" />
              </Link>
            </div>
            <MarketLine />
          </div>
          <SameBits />
        </section>

        <section aria-labelledby="rules">
          <h2 id="rules" className="text-page font-semibold">
            Strict where backtests usually flatter
          </h2>
          <dl className="mt-4 grid gap-px overflow-hidden rounded border border-line bg-line sm:grid-cols-2 lg:grid-cols-4">
            {rules.map(([title, text]) => (
              <div key={title} className="bg-panel p-4">
                <dt className="text-section font-semibold">{title}</dt>
                <dd className="mt-1 text-muted">{text}</dd>
              </div>
            ))}
          </dl>
        </section>

        <section aria-labelledby="safety">
          <h2 id="safety" className="text-page font-semibold">
            Nothing to entrust
          </h2>
          <dl className="mt-4 grid gap-6 md:grid-cols-3">
            {facts.map(([title, text]) => (
              <div key={title} className="border-l-2 border-accent pl-4">
                <dt className="text-section font-semibold">{title}</dt>
                <dd className="mt-1 text-muted">{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      </main>
      <footer className="border-t border-line px-4 py-5 text-label text-muted">
        <p className="mx-auto max-w-280">
          Sextant calculates and simulates. It places no orders and gives no investment advice; a past result promises
          no future one.
        </p>
      </footer>
    </>
  );
}

/** Says which market this installation shows, because a simulated one must never pass for the real one. */
function MarketLine() {
  const app = useAppInfo();
  if (app.data === undefined) return <p className="mt-4 h-4" />;
  const text = {
    simulated: 'This installation runs on a simulated market.',
    replay: 'This installation replays recorded candles.',
    live: 'Candles from Binance, Bybit and OKX.',
  }[app.data.market];
  return <p className="mt-4 text-label text-muted">{text}</p>;
}
