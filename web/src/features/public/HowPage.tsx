import { BadgeCheck, Database, Gauge, SlidersHorizontal } from 'lucide-react';
import { CallToAction } from './CallToAction.tsx';
import { Measured } from './Measured.tsx';
import { PageHead } from './PageHead.tsx';
import { type Card, PointList, RotatingCards, ROTATION_MS } from './PublicLists.tsx';

const steps: readonly Card[] = [
  {
    icon: Database,
    title: 'Choose the candles',
    text: 'A perpetual and an interval, or your own CSV file. Gaps and rejected bars are listed, never filled.',
  },
  {
    icon: SlidersHorizontal,
    title: 'Set the rules',
    text: 'Set vote weights, entry threshold, stop, target, trailing, leverage and costs.',
  },
  {
    icon: Gauge,
    title: 'Run and read',
    text: 'The engine runs in your browser. Read the warnings first: number of trades, drawdown, liquidations, unknown funding.',
  },
  {
    icon: BadgeCheck,
    title: 'Verify and keep',
    text: 'The server repeats the run on the same candles. Equal hashes: your result is reproducible.',
  },
];

const measures = [
  [
    'Tradable symbols',
    'Perpetuals listed as trading in the latest list from the exchange. The line names the exchange, the age of the list and whether the market is simulated.',
  ],
  [
    'Response time',
    'Server time from request to response: p95 and median of all market data requests in the last hour. Internet time is extra. Shown from twenty requests.',
  ],
  [
    'Loading time',
    'Load time, reported without a name by signed-in users who allow analytics. From twenty reports in an hour, p95 and median are in the raw data below.',
  ],
  [
    'Uptime',
    'The server probes its database every minute. A good response counts as up; a bad one, or several missing in a row, as down. A single missed probe is left out. The figure covers 30 days, 7 days or 24 hours: the longest fully measured. It starts after the first day.',
  ],
  [
    'Helpful answers',
    'Users rate the help assistant. From thirty ratings, the helpful share is in the raw data below and in the chat.',
  ],
  [
    'Not measured, so no number',
    'Time to your first result; support response time. Your own run time appears beside your result.',
  ],
] as const;

export function HowPage() {
  return (
    <>
      <PageHead
        title="Four steps, each one checkable"
        lead="From candles to a result that others can repeat. Sign up with email and password."
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
