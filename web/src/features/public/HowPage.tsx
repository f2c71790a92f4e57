import { BadgeCheck, Database, Gauge, SlidersHorizontal } from 'lucide-react';
import { CallToAction } from './CallToAction.tsx';
import { Measured } from './Measured.tsx';
import { PageHead } from './PageHead.tsx';
import { type Card, PointList, RotatingCards, ROTATION_MS } from './PublicLists.tsx';

const steps: readonly Card[] = [
  {
    icon: Database,
    title: 'Choose the candles',
    text: 'A perpetual and an interval, or your own CSV file. Gaps and refused bars are named, never filled with invented ones.',
  },
  {
    icon: SlidersHorizontal,
    title: 'Set the rules',
    text: 'Weights of the votes, the threshold that opens a trade, stop, target, trailing, leverage, and what trading costs you.',
  },
  {
    icon: Gauge,
    title: 'Run and read',
    text: 'The engine runs in your browser. Read the warnings first: number of trades, drawdown, liquidations, unknown funding.',
  },
  {
    icon: BadgeCheck,
    title: 'Verify and keep',
    text: 'The server repeats the run on the same candles. Equal hashes mean that your result can be repeated.',
  },
];

const measures = [
  [
    'Tradable symbols',
    'Perpetuals that the exchange lists as trading, counted in the list this server fetched last. The line says which exchange, whether the market is simulated, and how old the list is.',
  ],
  [
    'Answer time',
    'From the moment a request for market data has reached the server until its answer is handed to the network: every such request of the last hour, p95 and median. The time on the internet comes on top. Below twenty requests no figure is shown.',
  ],
  [
    'Loading time',
    'Browsers of signed-in people who allow analytics report once how long the product took to load, without a name. From twenty reports in an hour on, p95 and median are in the raw answer below.',
  ],
  [
    'Uptime',
    'Every minute, day and night, with or without an open browser, the server asks its database and writes down the answer. A minute with a good answer counts as up; one with a bad answer, or without any, counts as down. The figure covers the last 30 days, 7 days or 24 hours, the longest of these that has been measured whole; before the first day is over there is none.',
  ],
  [
    'Helpful answers',
    'Users rate the answers of the help assistant. From thirty ratings on, the share that was called helpful is in the raw answer below and in the chat; before, there is none.',
  ],
  [
    'Not measured, so no number',
    'How long your first result takes, how fast support answers your mail. The time your own run took stands beside your result.',
  ],
] as const;

export function HowPage() {
  return (
    <>
      <PageHead
        title="Four steps, each one checkable"
        lead="From a list of candles to a result that others can repeat. An account needs an email address and a password, nothing else."
      >
        <CallToAction to={['login', 'features']} className="mt-6" />
      </PageHead>
      <RotatingCards
        title="How a run works"
        cards={steps}
        everyMs={ROTATION_MS.how}
        isOrdered
        columns="md:grid-cols-2 lg:grid-cols-4"
      />
      <Measured />
      <section id="measured" aria-labelledby="measures" className="scroll-mt-20">
        <h2 id="measures" className="text-page font-semibold">
          How these figures are measured
        </h2>
        <PointList points={measures} columns="md:grid-cols-2" />
        <p className="mt-6 text-muted">
          The raw data:{' '}
          <a href="/api/measured" className="text-accent underline underline-offset-2">
            /api/measured
          </a>
          . The state right now:{' '}
          <a href="/api/health" className="text-accent underline underline-offset-2">
            /api/health
          </a>
          .
        </p>
      </section>
    </>
  );
}
