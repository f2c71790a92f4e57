import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import { type Contract, unknownContract } from '@sextant/workers/src/candles/contract.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { PracticeResult } from '@sextant/workers/src/protocol/practice.ts';
import type { PracticeOrder } from '@sextant/workers/src/positions/practiceOrder.ts';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useMemo, useReducer, useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { ChartLevel } from '../../../charts/chartModel.ts';
import { LateChart } from '../../../charts/LateChart.tsx';
import { fetchCandles, fetchContract } from '../../../data/market.ts';
import { enginePool } from '../../../engine/enginePool.ts';
import { formatMany, formatMoney, priceDecimals, signTone } from '../../../format/number.ts';
import { ExchangeWait } from '../../../ui/ExchangeWait.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { ErrorState } from '../../../ui/Panel.tsx';
import { candlesUntil, type Practice, runPractice } from './practice.ts';
import { PracticeTicket } from './PracticeTicket.tsx';
import {
  type DraftTerms,
  equityOf,
  orderOf,
  type PracticeDraft,
  previewedOrder,
  startDraft,
} from './practiceTicket.ts';
import { PracticeVerdict } from './PracticeVerdict.tsx';
import { StartChoice, Steps } from './ReplayToolbar.tsx';
import { HISTORY_MIN, PRACTICE_MIN, replayReducer, startReplay, type ReplayState } from './replayState.ts';

const CANDLE_COUNT = 1000;

interface Props {
  symbol: string;
  interval: IntervalName;
  decimals: number | undefined;
  onClose: () => void;
}

/** Replays past candles one by one with simulated orders, and ends with a verdict on the trades. */
export function BarReplay({ symbol, interval, decimals, onClose }: Props) {
  const response = useQuery({
    queryKey: [...queryKeys.market.candles('binance', symbol, interval, CANDLE_COUNT), 'replay'],
    queryFn: ({ signal }) => fetchCandles({ exchange: 'binance', symbol, interval, limit: CANDLE_COUNT, signal }),
    // Never refetched: new candles would shift the replayed ones.
    staleTime: Infinity,
    gcTime: 0,
  });
  const candles = response.data?.candles;
  const venue = venueOf(response.data?.exchange);
  const rules = useQuery({
    queryKey: queryKeys.market.contract(venue, symbol),
    queryFn: async ({ signal }) => (await fetchContract(symbol, venue, signal)) ?? unknownContract(venue, symbol),
    enabled: candles !== undefined,
    // Never refetched: changed rules would change past fills.
    staleTime: Infinity,
    gcTime: 0,
  });
  const contract = rules.data;
  const isYoung = candles !== undefined && candles.time.length <= HISTORY_MIN + PRACTICE_MIN;
  const failed = [response, rules].find(({ error }) => error !== null);
  return (
    <section aria-label="Bar replay" className="absolute inset-0 flex min-w-0 flex-col overflow-y-auto">
      {failed !== undefined && failed.error !== null && (
        <div className="p-3">
          <ErrorState
            failure={failed.error}
            text={messageOf(
              failed.error,
              failed === rules ? 'Could not load the contract.' : 'Could not load the candles.',
            )}
            onRetry={() => void failed.refetch()}
          />
        </div>
      )}
      {(response.isPending || rules.isFetching) && <ExchangeWait />}
      {isYoung && <Notice tone="warn">This market is too young to replay. Choose a shorter interval.</Notice>}
      {candles !== undefined && !isYoung && contract !== undefined && (
        <Replayed
          candles={candles}
          contract={contract}
          symbol={symbol}
          interval={interval}
          decimals={decimals}
          onClose={onClose}
        />
      )}
    </section>
  );
}

interface ReplayedProps extends Props {
  candles: Candles;
  contract: Contract;
}

function Replayed({ candles, contract, symbol, interval, decimals, onClose }: ReplayedProps) {
  const count = candles.time.length;
  const reducer = useMemo(() => replayReducer(count), [count]);
  const [state, dispatch] = useReducer(reducer, count, startReplay);
  const { phase, from, seen, actions } = state;
  const [draft, setDraft] = useState(startDraft);
  const practice = useMemo(
    () => ({ candles, interval, contract, from, seen, actions }),
    [candles, interval, contract, from, seen, actions],
  );
  const last = candles.close[seen - 1] ?? NaN;
  const shownDecimals = priceDecimals(last, decimals);
  const { result, failure, terms, isCurrent } = usePractice(practice, phase === 'run' ? draft : null);
  // Until the latest decision is computed the account may have an open order.
  const account = isCurrent ? result : null;
  const isFree = isAccountFree(account);
  const model = useReplayModel({ candles, seen, phase, decimals: shownDecimals, result });
  const place = (order: PracticeOrder) => dispatch({ kind: 'decide', decision: { kind: 'order', order } });
  return (
    <>
      <div
        role="toolbar"
        aria-label="Bar replay"
        className="flex flex-wrap items-center gap-1 border-b border-line p-1"
      >
        {phase === 'choose' && <StartChoice candles={candles} state={state} interval={interval} dispatch={dispatch} />}
        {phase === 'run' && <Steps dispatch={dispatch} account={account} isFree={isFree} onPlace={place} />}
        {phase === 'done' && (
          <button type="button" className="btn btn-small" onClick={() => dispatch({ kind: 'again' })}>
            Replay again
          </button>
        )}
        <button type="button" className="btn btn-ghost btn-small ml-auto" onClick={onClose}>
          <X size={14} aria-hidden="true" /> Leave replay
        </button>
      </div>
      <PracticeLine phase={phase} result={result} />
      {failure !== null && <Notice tone="error">The simulator failed: {failure}</Notice>}
      <RejectionNotice result={result} at={seen - 1} />
      {phase === 'done' && result !== null && <PracticeVerdict result={result} symbol={symbol} practice={practice} />}
      <LateChart place="replay" model={model} className="min-h-72 flex-1" />
      {phase === 'run' && (
        <PracticeTicket
          draft={draft}
          onEdit={setDraft}
          terms={terms}
          decimals={shownDecimals}
          preview={result?.draft ?? null}
          simulated={result?.draftProblem ?? null}
          isFree={isFree}
          onPlace={() => place(orderOf(draft))}
        />
      )}
    </>
  );
}

const venueOf = (exchange: string | undefined) => venueIds.find((id) => id === exchange) ?? 'binance';

const isAccountFree = (account: PracticeResult | null): boolean =>
  account !== null && account.working === null && (account.open === null || account.open.isClosing);

/** Why the last order was not placed. */
function RejectionNotice({ result, at }: { result: PracticeResult | null; at: number }) {
  const rejection = result?.rejected.at(-1);
  return rejection?.at === at ? <Notice tone="error">Order not placed. {rejection.message}</Notice> : null;
}

interface Shown extends Pick<ReplayState, 'seen' | 'phase'> {
  candles: Candles;
  decimals: number;
  result: PracticeResult | null;
}

/** Chart of the candles shown so far: closed trades, and lines of the open position and the resting order. */
function useReplayModel({ candles, seen, phase, decimals, result }: Shown) {
  return useMemo(
    () => ({
      candles: candlesUntil(candles, seen),
      priceDecimals: decimals,
      scoredFrom: 0,
      trades: (result?.trades ?? []).filter(({ exitIndex }) => exitIndex < seen),
      levels: phase === 'done' ? [] : levelsOf(result),
      panes: [],
    }),
    [candles, seen, decimals, result, phase],
  );
}

/** Lines of the open position and of the resting order. */
function levelsOf(result: PracticeResult | null): ChartLevel[] {
  const { open = null, working = null } = result ?? {};
  const stopLevel = (price: number | null): ChartLevel[] =>
    price === null ? [] : [{ price, label: 'Stop', colour: 'down' }];
  const targetLevels = (targets: PracticeOrder['targets']): ChartLevel[] =>
    targets.map(({ price }, at) => ({
      price,
      label: targets.length > 1 ? `Target ${at + 1}` : 'Target',
      colour: 'up',
    }));
  const liquidationLevel = (price: number | null): ChartLevel[] =>
    price === null ? [] : [{ price, label: 'Liquidation', colour: 'down' }];
  const ofOpen: ChartLevel[] =
    open === null
      ? []
      : [
          { price: open.entryPrice, label: 'Entry', colour: 'accent' },
          ...stopLevel(open.stopPrice),
          ...targetLevels(open.targets),
          ...liquidationLevel(open.liquidationPrice),
        ];
  if (working === null || working.price === null) return ofOpen;
  const label = `${working.side === 'LONG' ? 'Buy' : 'Sell'} ${working.type}`;
  return [
    ...ofOpen,
    { price: working.price, label, colour: 'accent' },
    ...stopLevel(working.stopPrice),
    ...targetLevels(working.targets),
  ];
}

const sideNames = { LONG: 'Long', SHORT: 'Short' } as const;

/** Open position and resting order in one line. */
function stateText(result: PracticeResult | null): string {
  const { open = null, working = null } = result ?? {};
  const held = open === null ? '' : `${sideNames[open.side]}${open.isClosing ? ', closes at the next open' : ''}`;
  if (working === null) return held === '' ? 'Flat' : held;
  const { side, type } = working;
  const waiting =
    type === 'market' ? `${sideNames[side]} from the next open` : `${side === 'LONG' ? 'Buy' : 'Sell'} ${type} waits`;
  return held === '' ? waiting : `${held}, then ${waiting.toLowerCase()}`;
}

function PracticeLine({ phase, result }: { phase: ReplayState['phase']; result: PracticeResult | null }) {
  if (phase === 'choose')
    return <p className="px-2 py-1 text-label text-muted">Later candles stay hidden, also from indicators.</p>;
  const trades = result?.trades ?? [];
  const net = trades.reduce((sum, { netPnl }) => sum + netPnl, 0);
  return (
    <p role="status" aria-label="Practice" className="px-2 py-1 text-label">
      {stateText(result)}. {formatMany(trades.length, 'trade')}, net{' '}
      <span className={`font-medium ${signTone(net)}`}>{formatMoney(net, true)} USDT</span> after fees and slippage.
    </p>
  );
}

interface PracticeRun {
  /** Result of `practice`; null before the first one and after a failure. */
  result: PracticeResult | null;
  failure: string | null;
  practice: Practice | null;
}

/** Simulates the replay so far. A result that arrives after a newer request is ignored. */
function usePractice(practice: Practice, draft: PracticeDraft | null) {
  const [run, setRun] = useState<PracticeRun>({ result: null, failure: null, practice: null });
  const { candles, contract, seen } = practice;
  const terms: DraftTerms = {
    last: candles.close[seen - 1] ?? NaN,
    equity: equityOf(run.result),
    contract,
  };
  // Undefined for a draft that cannot be placed: it gets no preview.
  const order = draft === null ? undefined : previewedOrder(draft, terms);
  const orderText = JSON.stringify(order);
  useEffect(() => {
    let isCurrent = true;
    enginePool()
      .then((pool) => runPractice(pool, practice, order))
      .then(
        (result) => isCurrent && setRun({ result, failure: null, practice }),
        (fault: unknown) =>
          isCurrent && setRun({ result: null, failure: messageOf(fault, 'the engine stopped.'), practice }),
      );
    return () => {
      isCurrent = false;
    };
    // orderText stands for order, which is a new object at each render.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [practice, orderText]);
  return { result: run.result, failure: run.failure, terms, isCurrent: run.practice?.actions === practice.actions };
}
