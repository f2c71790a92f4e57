import { CandlestickChart, CircleDollarSign, Cpu, FileDigit, Server, ShieldAlert, Sigma } from 'lucide-react';
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { useAppInfo } from '../../api/useSession.ts';
import { ErrorState } from '../../ui/Panel.tsx';
import { whenQuiet } from '../../ui/whenQuiet.ts';
import { CallToAction } from './CallToAction.tsx';
import { DemoFrame } from './DemoFrame.tsx';
import { type Card, Facts, RotatingCards, ROTATION_MS } from './PublicLists.tsx';
import { Measured } from './Measured.tsx';
import { PageHead } from './PageHead.tsx';

const rules: readonly Card[] = [
  {
    icon: CandlestickChart,
    title: 'Decided on the closed candle',
    text: 'Trades fill at the next open, so no signal sees its own bar.',
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
    text: 'A Sharpe ratio on ten days reads “not enough data”. Trades open at the end are counted separately.',
  },
];

/**
 * Below the first screen, and already prerendered: its file loads after the page is idle and after the live run has started to load. Idle
 * callbacks run in order, so the second one follows that of the live run.
 */
const TourTeaser = lazy(async () => {
  if (typeof window !== 'undefined') await new Promise<void>((resolve) => whenQuiet(() => whenQuiet(resolve)));
  return import('./Tour.tsx').then(
    (file) => ({ default: file.TourTeaser }),
    () => ({ default: TourMissing }),
  );
});

function TourMissing() {
  return <ErrorState text="Could not load the pictures." onRetry={() => location.reload()} />;
}

/** Sextant in ten seconds: the promise, its proof, the rules behind it. */
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
      <Suspense fallback={<div aria-busy="true" className="min-h-96" />}>
        <TourTeaser />
      </Suspense>
      <section aria-labelledby="bits" className="grid items-center gap-8 lg:grid-cols-[1fr_520px]">
        <div>
          <h2 id="bits" className="text-page font-semibold">
            The same bits, here and there
          </h2>
          <p className="mt-2 max-w-130 text-section leading-[24px] text-muted">
            Your browser and the server use the same engine file. Sign in, let the server repeat your run, and compare
            the hashes.
          </p>
        </div>
        <SameBits />
      </section>
      <Facts />
      <Measured />
    </>
  );
}

const texts = {
  simulated: 'This installation runs on a simulated market.',
  replay: 'This installation replays recorded candles.',
  live: 'Candles from Binance, Bybit and OKX.',
};

/** States the market of this installation: a simulated one must never pass for the real one. */
function MarketLine() {
  const app = useAppInfo();
  return <p className="mt-4 min-h-4 text-label text-muted">{app.data === undefined ? '' : texts[app.data.market]}</p>;
}

const hashes = ['engine', 'candles', 'parameters', 'result'] as const;

/**
 * The promise as a picture: one file of machine code, two places, four hashes that must agree. Without figures, because none would be
 * measured.
 */
function SameBits() {
  return (
    <figure
      className="panel gap-4 p-5"
      aria-label="One engine runs in your browser and on the server; four hashes prove that both runs agree."
    >
      <div className="grid grid-cols-[1fr_auto_1fr] items-center gap-3" aria-hidden="true">
        <Place icon={Cpu} title="Your browser" text="runs here, nothing uploaded" />
        <div className="flex flex-col items-center gap-1 text-center">
          <FileDigit size={20} className="text-accent" />
          <span className="font-mono text-label">engine.wasm</span>
        </div>
        <Place icon={Server} title="The server" text="repeats on request" />
      </div>
      <table aria-hidden="true" className="w-full border-collapse text-label">
        <tbody>
          {hashes.map((hash) => (
            <tr key={hash} className="border-t border-line">
              <td className="py-2 font-mono text-muted">SHA-256</td>
              <td className="py-2 text-center font-medium">{hash}</td>
              <td className="py-2 text-right font-mono text-up">shown as equal or different</td>
            </tr>
          ))}
        </tbody>
      </table>
      <figcaption className="text-muted">
        One engine, one file of machine code. A single different bit changes the hash.
      </figcaption>
    </figure>
  );
}

function Place({ icon: Icon, title, text }: { icon: typeof Cpu; title: string; text: string }) {
  return (
    <div className="flex flex-col items-center gap-1 rounded border border-line bg-bg p-4 text-center">
      <Icon size={20} className="text-muted" />
      <span className="font-semibold">{title}</span>
      <span className="text-label text-muted">{text}</span>
    </div>
  );
}

type Loaded = { status: 'waiting' } | { status: 'failed' } | { status: 'ready'; Live: ComponentType };

/** Engine, chart and candles load only after the page is painted and idle: they are not part of the first load. */
function DemoPanel() {
  const [loaded, setLoaded] = useState<Loaded>({ status: 'waiting' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const load = () => {
      performance.mark('demo-start');
      import('./demo/LiveDemo.tsx').then(
        ({ LiveDemo }) => {
          if (isCurrent) setLoaded({ status: 'ready', Live: LiveDemo });
        },
        () => {
          if (isCurrent) setLoaded({ status: 'failed' });
        },
      );
    };
    const cancel = whenQuiet(load);
    return () => {
      isCurrent = false;
      cancel();
    };
  }, [attempt]);

  if (loaded.status === 'ready') return <loaded.Live />;
  if (loaded.status === 'waiting')
    return <DemoFrame aside="starts by itself" chart={<div className="skeleton absolute inset-4 opacity-30" />} />;
  const retry = () => {
    setLoaded({ status: 'waiting' });
    setAttempt(attempt + 1);
  };
  return <DemoFrame words={<ErrorState text="Could not load the engine." onRetry={retry} />} />;
}
