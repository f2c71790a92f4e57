import { createHash } from 'node:crypto';
import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import {
  countOn,
  type DataMark,
  familyOf,
  isSameData,
  sampleCloses,
  type TrialCount,
  type TrialFamily,
} from '@sextant/workers/src/candles/sameData.ts';
import { isSymbol } from '@sextant/workers/src/core/symbolPattern.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { canonicalJson, sorted } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { StrategyParamsWire } from '@sextant/workers/src/protocol/wire/strategyParams.ts';
import { sql } from 'kysely';
import { type Db, type UserTx, withUser } from '../../platform/db/scope.ts';
import { without } from '../../platform/without.ts';
import type { LoadedRun, RunBody } from './loadRun.ts';

/** Rows stored per user; the oldest are deleted first. */
const RETAINED_MAX = 5000;

/** Earlier trials on the candles of a run or a search. */
export interface Tried {
  before: TrialCount;
  family: TrialFamily;
}

/** For the sandbox, which counts nothing. */
export const nothingTried: Tried = { before: { trials: 0, looks: 0 }, family: { trials: 0, looks: 0, markets: 0 } };

interface TriedRow extends DataMark, TrialCount {
  tried: string;
  isSearch: boolean;
  kind: 'classic' | 'rules';
}

/** Hash of a kind and its content, independent of the order of keys. */
const nameOf = (kind: string, what: unknown): string =>
  createHash('sha256')
    .update(`${kind} ${JSON.stringify(sorted(what))}`)
    .digest('hex');

/** The market of a run; of sent candles the one they are named after, by their minutes, their contract rules or their label. */
function marketOf(
  { symbol, minuteMarket, costs }: Pick<SearchTried['loaded'], 'symbol' | 'minuteMarket' | 'costs'>,
  { exchange, minutesOf, label }: Pick<RunBody, 'exchange' | 'minutesOf' | 'label'>,
): { exchange: string; symbol: string } | undefined {
  if (symbol !== null) return { exchange, symbol };
  if (minutesOf !== undefined) return { exchange, symbol: minutesOf };
  const labelled = label !== undefined && isSymbol(label) ? { exchange, symbol: label } : undefined;
  return minuteMarket ?? costs.rulesOf ?? labelled;
}

/** The candles a run is scored on. */
function markOf(
  loaded: Pick<SearchTried['loaded'], 'input' | 'symbol' | 'minuteMarket' | 'costs'>,
  body: Pick<RunBody, 'exchange' | 'interval' | 'minutesOf' | 'label'>,
  hash: string,
): DataMark {
  const { candles, scoredCount } = loaded.input;
  const market = marketOf(loaded, body);
  const series = market === undefined ? null : `${market.exchange} ${market.symbol} ${body.interval}`;
  return dataMark(candles, scoredCount, series, hash);
}

function dataMark(candles: Candles, scoredCount: number, series: string | null, hash: string): DataMark {
  const first = candles.time.length - scoredCount;
  return {
    hash,
    series,
    fromMs: candles.time[first] ?? 0,
    toMs: candles.time.at(-1) ?? 0,
    closes: sampleCloses(candles, first),
  };
}

/** Serialised per user, so that concurrent calls count each other. */
async function readRows(tx: UserTx, userId: string): Promise<TriedRow[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 173))`.execute(tx);
  const rows = await tx
    .selectFrom('backtest_trials')
    .select(['tried', 'data_hash', 'series', 'from_ms', 'to_ms', 'closes', 'trials', 'looks', 'is_search', 'kind'])
    .orderBy('tried_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    tried: row.tried,
    hash: row.data_hash,
    series: row.series,
    fromMs: row.from_ms,
    toMs: row.to_ms,
    closes: row.closes,
    trials: row.trials,
    looks: row.looks,
    isSearch: row.is_search,
    kind: row.kind === 'rules' ? 'rules' : 'classic',
  }));
}

async function insertRow(tx: UserTx, userId: string, row: TriedRow): Promise<void> {
  await tx
    .insertInto('backtest_trials')
    .values({
      user_id: userId,
      tried: row.tried,
      data_hash: row.hash,
      series: row.series,
      from_ms: row.fromMs,
      to_ms: row.toMs,
      closes: row.closes ?? null,
      trials: row.trials,
      looks: row.looks,
      is_search: row.isSearch,
      kind: row.kind,
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'tried', 'data_hash']).doNothing())
    .execute();
  const newest = sql`select id from backtest_trials order by tried_at desc, id`;
  await sql`delete from backtest_trials where id in (${newest} offset ${RETAINED_MAX})`.execute(tx);
}

type TriedSet = Strategy | RunBody['params'];
const kindOf = (set: TriedSet): TriedRow['kind'] => ('intervals' in set ? 'rules' : 'classic');
/** Built-in sets, which no search selected. */
const isDefault = (set: TriedSet): boolean =>
  setName(set) ===
  setName('intervals' in set ? liveRules(set.intervals.map(({ interval }) => interval)) : StrategyParamsWire.parse({}));

interface RunTried {
  loaded: LoadedRun;
  body: RunBody;
  dataHash: string;
}

const setName = (set: TriedSet): string => nameOf('set', 'intervals' in set ? canonicalJson(set) : set);

interface SetTried {
  mark: DataMark;
  /** Name of the set. */
  tried: string;
  kind: TriedRow['kind'];
  /** A built-in set, which no search selected. */
  isBuiltIn: boolean;
}

/** Counts a run of one set, the first time it is run on the data. */
export function countRunTried(db: Db, userId: string, { loaded, body, dataHash }: RunTried): Promise<Tried> {
  const set = loaded.rules?.strategy ?? body.params;
  return countSetTried(db, userId, {
    mark: markOf(loaded, body, dataHash),
    tried: setName(set),
    kind: kindOf(set),
    isBuiltIn: isDefault(set),
  });
}

interface PortfolioTried {
  exchange: string;
  interval: string;
  symbols: readonly string[];
  fromMs: number;
  toMs: number;
  /** Strategy, limits and costs: a change of any of them is another try. */
  what: object;
}

/** The same symbols on the same interval are the same data. */
function markOfPortfolio({ exchange, interval, symbols, fromMs, toMs }: Omit<PortfolioTried, 'what'>): DataMark {
  const names = nameOf('symbols', [...symbols].sort());
  const series = `${exchange} portfolio ${names.slice(0, 16)} ${interval}`;
  return { hash: nameOf('portfolio data', { series, fromMs, toMs }), series, fromMs, toMs, closes: null };
}

/** Counts a run of one account over many symbols. */
export function countPortfolioTried(db: Db, userId: string, run: PortfolioTried): Promise<Tried> {
  const tried = nameOf('portfolio', run.what);
  return countSetTried(db, userId, { mark: markOfPortfolio(run), tried, kind: 'rules', isBuiltIn: false });
}

/** Counts every set of a search over an account, once if it is repeated, and its best set as a result that was viewed. */
export function countPortfolioSearchTried(
  db: Db,
  userId: string,
  run: PortfolioTried & { trialCount: number; best: object | null },
): Promise<Tried> {
  const mark = markOfPortfolio(run);
  const shared = { ...mark, kind: 'rules' } as const;
  const tried = nameOf('portfolio search', run.what);
  return withUser(db, userId, async (tx) => {
    const rows = await readRows(tx, userId);
    const known = rows.find((row) => row.tried === tried && isSameData(row, mark));
    if (known === undefined) {
      await insertRow(tx, userId, { ...shared, tried, trials: run.trialCount, looks: 1, isSearch: true });
      if (run.best !== null) {
        const best = nameOf('portfolio', run.best);
        await insertRow(tx, userId, { ...shared, tried: best, trials: 0, looks: 0, isSearch: false });
      }
    }
    const others = rows.filter((row) => row !== known);
    return { before: countOn(others, mark), family: nothingTried.family };
  });
}

function countSetTried(db: Db, userId: string, { mark, tried, kind, isBuiltIn }: SetTried): Promise<Tried> {
  return withUser(db, userId, async (tx) => {
    const rows = await readRows(tx, userId);
    const at = rows.findIndex((row) => row.tried === tried && isSameData(row, mark));
    if (at < 0) await insertRow(tx, userId, { tried, ...mark, trials: 1, looks: 1, isSearch: false, kind });
    // Skips searches that cannot have led to this set: of the other kind of strategy, made after its first run, or for a built-in set.
    const hasLedHere = (row: TriedRow, i: number): boolean =>
      !row.isSearch || (row.kind === kind && !isBuiltIn && (at < 0 || i < at));
    const all = countOn(rows.filter(hasLedHere), mark);
    // A known set is included in the counts.
    const own = at < 0 ? 0 : 1;
    return {
      before: { trials: Math.max(0, all.trials - own), looks: Math.max(0, all.looks - own) },
      family: nothingTried.family,
    };
  });
}

interface ScoredCandles {
  exchange: string;
  symbol: string;
  interval: string;
  candles: Candles;
  /** The last ones. */
  scoredCount: number;
}

/** Reads how many sets were tried on the candles of a symbol, without counting a new one. */
export function readTried(
  db: Db,
  userId: string,
  { exchange, symbol, interval, candles, scoredCount }: ScoredCandles,
): Promise<Tried> {
  const mark = dataMark(candles, scoredCount, `${exchange} ${symbol} ${interval}`, '');
  return withUser(db, userId, async (tx) => {
    const rows = await readRows(tx, userId);
    return { before: countOn(rows, mark), family: familyOf(rows, mark) };
  });
}

export interface SearchTried {
  loaded: Pick<LoadedRun, 'symbol' | 'costs' | 'minuteMarket'> & {
    input: Pick<LoadedRun['input'], 'candles' | 'scoredCount'>;
  };
  body: Pick<RunBody, 'exchange' | 'interval' | 'params' | 'strategy' | 'optimize' | 'minutesOf' | 'label'>;
  dataHash: string;
  trialCount: number;
  best: TriedSet;
}

/** Counts a search once per identical candles, and its best set as tried. */
export function countSearchTried(
  db: Db,
  userId: string,
  { loaded, body, dataHash, trialCount, best }: SearchTried,
): Promise<Tried> {
  const mark = markOf(loaded, body, dataHash);
  const { params, strategy = null, optimize } = body;
  const what = {
    params,
    strategy,
    costs: without(loaded.costs, 'funding'),
    optimize,
    scored: loaded.input.scoredCount,
  };
  const tried = nameOf('search', what);
  const looks = optimize?.trainOn === 'scored' ? trialCount : 1;
  return withUser(db, userId, async (tx) => {
    const rows = await readRows(tx, userId);
    const known = rows.find((row) => row.tried === tried && row.hash === mark.hash);
    if (known === undefined) {
      const kind = kindOf(best);
      await insertRow(tx, userId, { tried, ...mark, trials: trialCount, looks, isSearch: true, kind });
      await insertRow(tx, userId, { tried: setName(best), ...mark, trials: 0, looks: 0, isSearch: false, kind });
    }
    const others = rows.filter((row) => row !== known);
    return { before: countOn(others, mark), family: familyOf(others, mark) };
  });
}
