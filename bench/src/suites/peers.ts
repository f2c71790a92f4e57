import { kernelParameters, indicatorEntry, resolveParameters } from '@sextant/engine-as/abi/registry.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { candleWalks } from '../../data/candles.ts';
import { candleColumns, expectOk, freshEngine, pushCandles } from '../engineSide.ts';
import { inProcess, inTurn } from '../paired.ts';
import { ixjb94Peer } from '../peers/ixjb94.ts';
import { indicatortsPeer } from '../peers/indicatorts.ts';
import { peerIds, toPeerCandles, type Expectation, type Peer, type PeerCandles, type PeerId } from '../peers/peer.ts';
import { technicalindicatorsPeer } from '../peers/technicalindicators.ts';
import { tradingSignalsPeer } from '../peers/tradingSignals.ts';
import type { BenchCase, PreparedSuite } from '../suite.ts';

const CANDLES = 500;
const SERIES = 64;
const peers: readonly Peer[] = [technicalindicatorsPeer, tradingSignalsPeer, indicatortsPeer, ixjb94Peer];

/** Registry id and parameters of each indicator the packages compute. */
const requested: Record<PeerId, { id: string; params: Record<string, number> }> = {
  sma: { id: 'sma', params: { period: 20 } },
  ema: { id: 'ema', params: { period: 50 } },
  rsi: { id: 'rsi', params: {} },
  macd: { id: 'macd', params: {} },
  boll: { id: 'boll', params: {} },
  atr: { id: 'atr', params: {} },
  cci: { id: 'cci', params: {} },
  obv: { id: 'obv', params: {} },
  mfi: { id: 'mfi', params: {} },
};

/** Our side of the comparison: copies the candles in, runs the nine, copies every output out. */
interface OurSide {
  run(candles: Candles): Record<PeerId, Float64Array[]>;
}

export async function preparePeers(): Promise<PreparedSuite> {
  const series = candleWalks(SERIES, CANDLES);
  const plain = series.map(toPeerCandles);
  const ours = ourSide(await freshEngine());
  const cases = peers.map((peer): BenchCase => {
    const theirs = inTurn(SERIES, (k) => peer.run(plain[k] as PeerCandles));
    return {
      name: peer.name,
      unit: 'us per 500 candles',
      toFigure: (operationNs) => operationNs / 1000,
      operation: inTurn(SERIES, (k) => ours.run(series[k] as Candles)),
      rivals: [{ against: peer.name, contestant: inProcess(theirs) }],
      verify: () => series.flatMap((candles, item) => compare(ours, peer, candles, item)),
      options: { warmMs: 200, budgetMs: 1000 },
    };
  });
  return {
    cases,
    notes: [`The nine: ${peerIds.join(', ')}; our figure includes copying in and out.`, ...differences()],
  };
}

function ourSide(engine: Engine): OurSide {
  const columnsAt = pushCandles(engine, candleWalks(1, CANDLES)[0] as Candles);
  const addresses = [...engine.i32View(columnsAt, candleColumns.length)];
  const kernels = peerIds.map((peerId) => kernelOf(engine, peerId));
  return {
    run(candles) {
      candleColumns.forEach((name, k) => engine.f64View(addresses[k] as number, CANDLES).set(candles[name]));
      for (const { id, kind, paramsAt, outAt, kept } of kernels) {
        expectOk(engine.raw.indicator(kind, columnsAt, CANDLES, paramsAt, outAt, CANDLES, 0), id);
        kept.forEach((column, k) => column.set(engine.f64View(outAt + 8 * k * CANDLES, CANDLES)));
      }
      return Object.fromEntries(kernels.map(({ id, kept }) => [id, kept])) as Record<PeerId, Float64Array[]>;
    },
  };
}

function kernelOf(engine: Engine, id: PeerId) {
  const entry = indicatorEntry(requested[id].id);
  const resolved = entry && resolveParameters(entry, requested[id].params);
  if (entry === undefined || resolved?.ok !== true) throw new Error(`the registry has no ${id} as the peers take it`);
  const paramsAt = engine.push(Float64Array.from(kernelParameters(entry, resolved.params)));
  const retained = entry.outputs.map(() => new Float64Array(CANDLES));
  return { id, kind: entry.kind, paramsAt, outAt: engine.reserve(retained.length * CANDLES), kept: retained };
}

function compare(ours: OurSide, peer: Peer, candles: Candles, item: number): string[] {
  const mine = ours.run(candles);
  const plain = toPeerCandles(candles);
  const theirs = peer.run(plain);
  return peerIds.flatMap((id) => {
    const [first] = mine[id];
    const difference = first && compareColumn(first, theirs[id], peer.expected[id], plain);
    return difference === undefined ? [] : [`series ${item}, ${id}: ${difference}`];
  });
}

/** Aligned at the end; candles that either side leaves out are not compared. */
function compareColumn(
  ours: Float64Array,
  theirs: ArrayLike<number | null | undefined>,
  { kind, candle = 0, isOther }: Expectation,
  candles: PeerCandles,
): string | undefined {
  if (kind === 'other') return undefined;
  const shift = kind === 'shifted' ? (candles.volume[0] as number) : 0;
  let compared = 0;
  for (let i = ours.length - 1; i >= candle; i--) {
    const response = theirs[i - ours.length + theirs.length] ?? NaN;
    const value = (ours[i] as number) - shift;
    if (Number.isNaN(response) || Number.isNaN(value)) break;
    if (isOther?.(candles, i) === true) continue;
    if (Math.abs(value - response) > allowedError(kind, value)) return `candle ${i}: ${value} against ${response}`;
    compared++;
  }
  return compared >= 50 ? undefined : `only ${compared} candles could be compared`;
}

function allowedError(kind: Expectation['kind'], value: number): number {
  if (kind === 'rounded') return 0.0051;
  return (kind === 'from' ? 1e-6 : 1e-9) * Math.max(1, Math.abs(value));
}

/** One line for each definition that is not ours. */
function differences(): string[] {
  return peers.flatMap(({ name, expected }) =>
    peerIds.flatMap((id) => {
      const { kind, candle, why } = expected[id];
      if (kind === 'same' || why === undefined) return [];
      const until =
        kind === 'from' ? `, compared from candle ${candle ?? 0}` : kind === 'other' ? ', not compared' : '';
      return [`${name} ${id}: ${why}${until}`];
    }),
  );
}
