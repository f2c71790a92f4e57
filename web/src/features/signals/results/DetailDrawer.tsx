import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { RISK_FRACTIONS } from '@sextant/workers/src/positions/sizing.ts';
import { useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { intervalToMs } from '../../../api/candles.ts';
import { messageOf } from '../../../api/failure.ts';
import { fetchCandles } from '../../../data/market.ts';
import { usePreferences } from '../../../data/preferences.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import { useTickDecimals } from '../../../data/symbols.ts';
import type { ConfidenceBasis, IntervalName, Scan, ScanSignal } from '../../../api/types.ts';
import { LateChart } from '../../../charts/LateChart.tsx';
import { NewsLegend, useChartNews } from '../../../charts/ChartNews.tsx';
import {
  basisText,
  chanceText,
  expectedText,
  isEdgeShown,
  isOfRule,
  originText,
  scoreText,
  statedText,
} from '../../../format/confidence.ts';
import {
  formatMoney,
  formatPercent,
  formatPrice,
  formatQuantity,
  formatSigned,
  priceDecimals,
} from '../../../format/number.ts';
import { voteName } from '../../../format/voteName.ts';
import { openLab } from '../../../state/labRequest.ts';
import { openTicket, type TicketRequest } from '../../../state/ticket.ts';
import { Drawer } from '../../../ui/Drawer.tsx';
import { ExchangeWait } from '../../../ui/ExchangeWait.tsx';
import { ErrorState } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';
import { WatchStar } from '../../../ui/WatchStar.tsx';
import { OpenDialog } from '../open/OpenDialog.tsx';
import { AiOpinion, DirectionMark, horizonText, LiquidationNote, SlotsLink, strategyText } from './SignalParts.tsx';
import { ReproducePanel } from './ReproducePanel.tsx';
import { hasOwnLevels, usedLevels, useVerdicts } from './verdict.ts';

interface Props {
  signal: ScanSignal;
  scan: Scan;
  onClose: () => void;
}

export function DetailDrawer({ signal, scan, onClose }: Props) {
  return (
    <Drawer
      title={`${signal.symbol} ${signal.interval}`}
      mark={<DirectionMark direction={signal.direction} />}
      action={<WatchStar symbol={signal.symbol} />}
      onClose={onClose}
    >
      <div data-symbol={signal.symbol} data-symbol-shown={signal.symbol} className="contents">
        <Details signal={signal} scan={scan} />
      </div>
    </Drawer>
  );
}

/**
 * A signal without a direction has nothing to open. A saved strategy manages its positions with its own exits, so these open as the scan
 * has them; every other signal fills in the order ticket.
 */
function OpenButton({ signal, scan }: Omit<Props, 'onClose'>) {
  const [isRequested, setRequested] = useState(false);
  const settings = usePreferences().data ?? null;
  const { symbol, interval, direction: side } = signal;
  if (side === 'NEUTRAL') return null;
  if (scan.params.strategy === undefined) {
    const { stopLoss, takeProfit: target } = usedLevels(signal, scan, settings);
    const request: TicketRequest = { symbol, side, interval, scanId: scan.scan_id };
    if (stopLoss !== null && stopLoss > 0) request.stopLoss = stopLoss;
    if (target !== null && target > 0) request.target = target;
    return (
      <button type="button" className="btn btn-primary self-start" onClick={() => openTicket(request)}>
        Open a position
      </button>
    );
  }
  return (
    <>
      <button type="button" className="btn btn-primary self-start" onClick={() => setRequested(true)}>
        Open a position
      </button>
      <OpenDialog signal={signal} scan={scan} isOpen={isRequested} onDone={() => setRequested(false)} />
    </>
  );
}

/** The rules that made the signal, with the tuning of its scan, on the history of its market. */
function BacktestButton({ signal, scan }: Omit<Props, 'onClose'>) {
  const interval = signalIntervals.find((name) => name === signal.interval);
  if (interval === undefined) return null;
  const requested = {
    symbol: signal.symbol,
    interval,
    tuning: scan.params.tuning,
    longer: signal.timeframes.slice(1).map((timeframe) => timeframe.interval as IntervalName),
    riskFraction: RISK_FRACTIONS[scan.params.riskTolerance],
    leverage: signal.position.leverage,
    strategy: scan.params.strategy ?? null,
  };
  return (
    <button type="button" className="btn" onClick={() => openLab(requested)}>
      <FlaskConical size={14} aria-hidden="true" /> Backtest this signal
    </button>
  );
}

function Details({ signal, scan }: Omit<Props, 'onClose'>) {
  const { position } = signal;
  const verdict = useVerdicts(scan)(signal);
  const settings = usePreferences().data ?? null;
  const used = usedLevels(signal, scan, settings);
  const basis = scan.results?.confidence.find(({ interval }) => interval === signal.interval);
  const horizon = horizonText(signal.horizon_min);
  const decimals = useTickDecimals()(signal.symbol);
  const isRule = isOfRule(signal);
  const origin = originText(signal);
  const figures: [string, ReactNode][] = [
    ...(origin === null ? [] : ([['Win chance', `${chanceText(signal)}, ${origin}`]] as [string, ReactNode][])),
    ['Expected after fees', <Expected key="expected" signal={signal} basis={basis} />],
    ['Confidence', statedText(signal)],
    ['Score, 0 to 100', scoreText(signal)],
    [
      'Break-even chance',
      signal.confidence_kind === 'score' && origin === null
        ? 'Not comparable with a score'
        : formatPercent(signal.break_even),
    ],
    isRule
      ? ['Signal of your rules', formatSigned(signal.score, 0)]
      : ['Sum of votes, -1 to 1', formatSigned(signal.score, 4)],
    ['Entry Price', formatPrice(signal.price, decimals)],
    ['Stop Loss', formatPrice(used.stopLoss, decimals)],
    ['Take Profit', formatPrice(used.takeProfit, decimals)],
    ...(hasOwnLevels(scan, settings)
      ? ([
          ["The signal's stop, not used", formatPrice(signal.stopLoss, decimals)],
          ["The signal's target, not used", formatPrice(signal.takeProfit, decimals)],
        ] as [string, ReactNode][])
      : []),
    ['Liquidation', formatPrice(position.liquidationApprox, decimals)],
    ['Risk', signal.riskLabel],
    ['Horizon', horizon ?? 'N/A'],
    ['Quantity', formatQuantity(position.qty)],
    ['Notional, USDT', formatMoney(position.sizeUsdt)],
    ['Leverage', `${position.leverage}x`],
    ['Loss at stop, USDT', formatMoney(position.loss_at_stop)],
    ['Strategy', strategyText(scan.params.strategy)],
    ['Candle closed', <Time key="close" at={signal.candle_close_at} />],
    ...(isRule
      ? []
      : [['Independent votes', `${signal.effective_votes.toFixed(1)} of ${signal.live_votes}`] as [string, string]]),
  ];
  return (
    <div className="flex flex-col gap-4 p-3">
      <p className="text-label text-muted">
        {verdict.text.replace(/\.$/, '')}. {basisText(basis)} The position is simulated.
      </p>
      <SlotsLink reason={verdict.reason} />
      <LiquidationNote signal={{ ...signal, ...used }} />
      <div className="flex flex-wrap gap-2">
        <OpenButton signal={signal} scan={scan} />
        <BacktestButton signal={signal} scan={scan} />
      </div>
      <AiOpinion signal={signal} isFull />
      <LevelChart signal={{ ...signal, ...used }} />
      <dl className="grid grid-cols-2 gap-x-6">
        {figures.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-2 border-b border-line py-1">
            <dt className="text-muted">{name}</dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      {isRule ? <RuleParts /> : <Contributions signal={signal} />}
      <NewsVote news={signal.news} />
      <ReproducePanel key={signal.signal_id} signal={signal} params={scan.params} basis={basis} />
    </div>
  );
}

/** Expected value of the entry price and of the simulated position; a loss is shown like a gain. */
function Expected({ signal, basis }: { signal: ScanSignal; basis: ConfidenceBasis | undefined }) {
  const { expected_net_fraction: live, expected_net_pct: pct, position } = signal;
  const expected = live ?? (pct === null ? null : pct / 100);
  if (expected === null) return <span className="text-muted">Not measured yet</span>;
  // A gain on average is no more than a guess while the replay shows no edge.
  const isUnreliable = live === null && expected > 0 && basis !== undefined && !isEdgeShown(basis);
  return (
    <span className={isUnreliable ? 'text-muted' : expected < 0 ? 'text-down' : 'text-up'}>
      {expectedText(signal)}, {formatMoney(expected * position.sizeUsdt, true)} USDT{isUnreliable && ', no edge shown'}
    </span>
  );
}

const CANDLE_COUNT = 60;

/** The candles up to the signal, and its levels. */
function LevelChart({ signal }: { signal: ScanSignal }) {
  const { exchange, symbol, interval, candle_close_at: closeAt, price, stopLoss, takeProfit } = signal;
  const response = useQuery({
    queryKey: [...queryKeys.market.candles(exchange, symbol, interval, CANDLE_COUNT), closeAt],
    queryFn: ({ signal: abort }) =>
      fetchCandles({
        exchange,
        symbol,
        interval: interval as IntervalName,
        limit: CANDLE_COUNT,
        endTimeMs: Date.parse(closeAt),
        signal: abort,
      }),
    staleTime: Infinity,
  });
  const decimals = useTickDecimals(exchange)(symbol);
  const market = useMemo(
    () => ({ exchange, symbol, interval: interval as IntervalName }),
    [exchange, symbol, interval],
  );
  const candles = response.data?.candles;
  const marks = useChartNews(symbol, candles, intervalToMs(interval));
  const model = useMemo(() => {
    if (candles === undefined || candles.time.length === 0) return null;
    const levels = [
      { price: takeProfit, label: 'target', colour: 'up' as const },
      { price, label: 'entry', colour: 'accent' as const },
      { price: stopLoss, label: 'stop', colour: 'down' as const },
    ].flatMap((level) => (level.price === null ? [] : [{ ...level, price: level.price }]));
    const shown = { candles, priceDecimals: priceDecimals(price, decimals), scoredFrom: 0, trades: [], panes: [] };
    return { ...shown, levels, marks };
  }, [candles, decimals, price, stopLoss, takeProfit, marks]);
  if (response.error !== null)
    return (
      <ErrorState
        failure={response.error}
        text={messageOf(response.error, 'Could not load candles.')}
        onRetry={() => void response.refetch()}
      />
    );
  return (
    <div className="border border-line">
      <div className="relative h-72">
        {model === null ? (
          <>
            <ExchangeWait />
            <div className="skeleton m-2 h-68" />
          </>
        ) : (
          <LateChart place="signal" model={model} market={market} className="absolute inset-0" />
        )}
      </div>
      <NewsLegend marks={marks} />
    </div>
  );
}

const RuleParts = () => (
  <section>
    <h3 className="mb-1 font-semibold">Score breakdown</h3>
    <p className="text-label text-muted">Your rules are true on this candle. They decide without votes.</p>
  </section>
);

/** Contribution of each vote to the score, largest first; they sum to it exactly. */
function Contributions({ signal }: { signal: ScanSignal }) {
  const parts = signal.contributions
    .filter(({ contribution }) => contribution !== 0)
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
  const largest = Math.max(...parts.map(({ contribution }) => Math.abs(contribution)), Number.MIN_VALUE);
  return (
    <section>
      <h3 className="mb-1 font-semibold">Score breakdown</h3>
      <ul aria-label="Contributions" className="text-label">
        {parts.map(({ vote, interval, contribution }) => (
          <li key={`${vote} ${interval}`} className="grid h-6 grid-cols-[150px_1fr_60px] items-center gap-2">
            <span className="truncate">
              {voteName(vote)} <span className="text-muted">{interval}</span>
            </span>
            <span aria-hidden="true" className="relative h-2 bg-row-hover">
              <span
                className={`absolute inset-y-0 ${contribution > 0 ? 'left-1/2 bg-up' : 'right-1/2 bg-down'}`}
                style={{ width: `${(Math.abs(contribution) / largest) * 50}%` }}
              />
              <span className="absolute inset-y-0 left-1/2 w-px bg-muted" />
            </span>
            <span className="text-right font-mono">{formatSigned(contribution, 3)}</span>
          </li>
        ))}
        <li className="mt-1 flex justify-between border-t border-line pt-1 font-medium">
          <span>Score, -1 to 1</span>
          <span className="font-mono">{formatSigned(signal.score, 3)}</span>
        </li>
      </ul>
    </section>
  );
}

type Say = NonNullable<ScanSignal['news']>;

/** The stories behind the news vote, with the contribution of each. Nothing without stories. */
function NewsVote({ news }: { news: ScanSignal['news'] }) {
  if (news === undefined) return null;
  return (
    <section aria-label="News" className="flex flex-col gap-1">
      <h3 className="font-semibold">News</h3>
      <p className="text-label text-muted">{sayText(news)}</p>
      {news.stories.length > 0 && (
        <ul className="text-label">
          {news.stories.map((story) => (
            <li key={story.id} className="flex justify-between gap-3 border-b border-line py-1">
              <span className="min-w-0">
                <span className="block break-words">{story.title}</span>
                <span className="text-muted">
                  {story.source}, weight {story.weight.toFixed(2)}, <Time at={story.first_seen_at} />
                </span>
              </span>
              <span className="font-mono">{formatSigned(story.share, 3)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function sayText({ vote, strength, story_count: count, stories }: Say): string {
  const seen = `${count} bullish or bearish ${count === 1 ? 'story' : 'stories'} in the six hours before the close`;
  if (stories.length === 0) return `No vote: ${seen}, from sources without a measured price effect.`;
  const sum = `strength ${formatSigned(strength, 3)}`;
  return vote === null ? `No vote: ${seen}, ${sum}; a vote needs 0.1.` : `${vote}: ${seen}, ${sum}.`;
}
