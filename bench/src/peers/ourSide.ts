import { kernelParameters, indicatorEntry, resolveParameters } from '@sextant/engine-as/abi/registry.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { candleWalks } from '../../data/candles.ts';
import { candleColumns, expectOk, pushCandles } from '../engineSide.ts';
import {
  alignedColumn,
  type Expectation,
  type Peer,
  type PeerCandles,
  type PeerColumn,
  type PeerId,
  peerIds,
  toPeerCandles,
} from './peer.ts';

export const CANDLES = 500;

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

/** The columns that each indicator reads. */
const read: Record<PeerId, readonly (typeof candleColumns)[number][]> = {
  sma: ['close'],
  ema: ['close'],
  rsi: ['close'],
  macd: ['close'],
  boll: ['close'],
  atr: ['high', 'low', 'close'],
  cci: ['high', 'low', 'close'],
  obv: ['close', 'volume'],
  mfi: ['high', 'low', 'close', 'volume'],
};

/** Our side of the comparison: copies the candles in, runs the nine, copies every output out. */
export interface OurSide {
  run(candles: Candles): Record<PeerId, Float64Array[]>;
  /** One of them, and its first output. Copies in what it reads, as a package is given what it reads. */
  runOne(id: PeerId, candles: Candles): Float64Array;
}

export function ourSide(engine: Engine): OurSide {
  const columnsAt = pushCandles(engine, candleWalks(1, CANDLES)[0] as Candles);
  const addresses = [...engine.i32View(columnsAt, candleColumns.length)];
  const kernels = peerIds.map((peerId) => kernelOf(engine, peerId));
  return {
    run(candles) {
      candleColumns.forEach((name, k) => engine.f64View(addresses[k] as number, CANDLES).set(candles[name]));
      for (const { id, kind, paramsAt, outAt, retained } of kernels) {
        expectOk(engine.raw.indicator(kind, columnsAt, CANDLES, paramsAt, outAt, CANDLES, 0), id);
        retained.forEach((column, k) => column.set(engine.f64View(outAt + 8 * k * CANDLES, CANDLES)));
      }
      return Object.fromEntries(kernels.map(({ id, retained }) => [id, retained])) as Record<PeerId, Float64Array[]>;
    },
    runOne(id, candles) {
      const kernel = kernels.find((each) => each.id === id);
      if (kernel === undefined) throw new Error(`no kernel ${id}`);
      const { kind, paramsAt, outAt, retained } = kernel;
      for (const name of read[id])
        engine.f64View(addresses[candleColumns.indexOf(name)] as number, CANDLES).set(candles[name]);
      expectOk(engine.raw.indicator(kind, columnsAt, CANDLES, paramsAt, outAt, CANDLES, 0), id);
      retained.forEach((column, k) => column.set(engine.f64View(outAt + 8 * k * CANDLES, CANDLES)));
      return retained[0] as Float64Array;
    },
  };
}

function kernelOf(engine: Engine, id: PeerId) {
  const entry = indicatorEntry(requested[id].id);
  const resolved = entry && resolveParameters(entry, requested[id].params);
  if (entry === undefined || resolved?.ok !== true) throw new Error(`the registry has no ${id} as the peers take it`);
  const paramsAt = engine.push(Float64Array.from(kernelParameters(entry, resolved.params)));
  const retained = entry.outputs.map(() => new Float64Array(CANDLES));
  return { id, kind: entry.kind, paramsAt, outAt: engine.reserve(retained.length * CANDLES), retained };
}

/** First output of each of the nine, of one side on one series. */
export type Responses<Column> = Partial<Record<PeerId, Column>>;

/** The results of a package beside ours on one series, as the timed calls gave them. One line for each difference. */
export function comparePeer(
  peer: Peer,
  candles: Candles,
  { ours, theirs }: { ours: Responses<Float64Array>; theirs: Responses<PeerColumn> },
  where: string,
): string[] {
  const plain = toPeerCandles(candles);
  return peerIds.flatMap((id) => {
    const [own, other] = [ours[id], theirs[id]];
    if (own === undefined && other === undefined) return [];
    if (own === undefined || other === undefined) return [`${where}, ${id}: one side has no result`];
    const difference = compareColumn(own, alignedColumn(peer, id, other), peer.expected[id], plain);
    return difference === undefined ? [] : [`${where}, ${id}: ${difference}`];
  });
}

/** Aligned at the end; candles that either side leaves out are not compared. */
function compareColumn(
  ours: Float64Array,
  theirs: PeerColumn,
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
export function differencesOf(peers: readonly Peer[]): string[] {
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
