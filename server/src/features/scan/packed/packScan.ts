import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { Candidate } from '../candidates.ts';
import type { CandidatesResponse, ScanResult, StoredResults } from '../contract.ts';
import { type Columns, fromColumns, toColumns } from './columns.ts';
import { type PackedContributions, packContributions, unpackContributions } from './contributions.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Fields of a result that its row in the public record has, too. They are stored there only. */
export type RecordedFields = Pick<
  ScanResult,
  | 'exchange'
  | 'symbol'
  | 'interval'
  | 'candle_close_at'
  | 'direction'
  | 'score'
  | 'raw_confidence'
  | 'price'
  | 'stopLoss'
  | 'takeProfit'
  | 'horizon_min'
  | 'riskLabel'
  | 'hashes'
>;

export type StoredCandidate = Candidate & { signalId: string | null };
type CandidateWire = CandidatesResponse['candidates'][number];

/** Best result and counts: what remains when the details are deleted. */
export type ScanSummary = Omit<StoredResults, 'all' | 'missing'>;

export const summaryOf = ({ all: _all, missing: _missing, ...summary }: StoredResults): ScanSummary => summary;

interface Document {
  results: Columns;
  contributions: PackedContributions;
  missing: string[];
  /** In the order of the response. `signal` is an index of `results`, or the id of a signal that is not among them. */
  candidates: Columns;
}

/** Speed and size: 5 ms for 250 results. */
const quality = 6;

export async function packScan(
  { all, missing }: Pick<StoredResults, 'all' | 'missing'>,
  candidates: readonly StoredCandidate[],
): Promise<Buffer> {
  const indexes = new Map(all.map(({ signal_id: id }, index) => [id, index]));
  const document: Document = {
    results: toColumns(all.map(ownFields)),
    contributions: packContributions(all.map(({ contributions }) => contributions)),
    missing,
    candidates: toColumns(ordered(candidates).map((candidate) => candidateOf(candidate, all, indexes))),
  };
  const bytes = Buffer.from(JSON.stringify(document));
  return compress(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

/** A result without what the record has and without its contributions. */
function ownFields(result: ScanResult): object {
  const {
    exchange: _exchange,
    symbol: _symbol,
    interval: _interval,
    candle_close_at: _closeAt,
    direction: _direction,
    score: _score,
    raw_confidence: raw,
    price: _price,
    stopLoss: _stop,
    takeProfit: _target,
    horizon_min: _horizon,
    riskLabel: _risk,
    hashes: _hashes,
    contributions: _contributions,
    confidence,
    ...own
  } = result;
  // The score's own confidence unless a map of outcomes stated another one.
  return confidence === raw ? own : { ...own, confidence };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const ordered = (candidates: readonly StoredCandidate[]): StoredCandidate[] =>
  candidates.toSorted(
    (a, b) =>
      (b.confidence ?? -1) - (a.confidence ?? -1) || compare(a.symbol, b.symbol) || compare(a.interval, b.interval),
  );

function candidateOf(
  { symbol, interval, outcome, filteredBy, confidence, signalId }: StoredCandidate,
  all: StoredResults['all'],
  indexes: ReadonlyMap<string, number>,
): object {
  const index = signalId === null ? undefined : indexes.get(signalId);
  if (index === undefined || all[index]?.confidence !== confidence)
    return { signal: signalId, symbol, interval, outcome, filtered_by: filteredBy, confidence };
  return { signal: index, outcome, filtered_by: filteredBy };
}

async function readDocument(packed: Buffer): Promise<Document> {
  return JSON.parse((await decompress(packed)).toString()) as Document;
}

/** Ids of the signals that the details of a scan refer to. */
export interface UnpackedScan {
  signalIds: string[];
  /** Results and missing series, given what the record has of each signal. @throws Error when a signal is not in it */
  resultsWith: (recorded: ReadonlyMap<string, RecordedFields>) => Pick<StoredResults, 'all' | 'missing'>;
  candidatesWith: (recorded: ReadonlyMap<string, RecordedFields>) => CandidateWire[];
}

export async function unpackScan(packed: Buffer): Promise<UnpackedScan> {
  const document = await readDocument(packed);
  const own = fromColumns(document.results) as (Partial<ScanResult> & Pick<ScanResult, 'signal_id'>)[];
  return {
    signalIds: own.map(({ signal_id: id }) => id),
    resultsWith(recorded) {
      const contributions = unpackContributions(document.contributions);
      const all = own.map((fields, index) => {
        const record = recordedOf(recorded, fields.signal_id);
        const { raw_confidence: confidence } = record;
        return { confidence, ...fields, ...record, contributions: contributions[index] ?? [] } as ScanResult;
      });
      return { all, missing: document.missing };
    },
    // Two thirds of a scan are contributions, which candidates do not have: they are not unpacked.
    candidatesWith: (recorded) =>
      (fromColumns(document.candidates) as ({ signal: number | string | null } & CandidateWire)[]).map(
        ({ signal, ...candidate }) => {
          if (typeof signal !== 'number') return { ...candidate, signal_id: signal };
          const fields = own[signal];
          if (fields === undefined) throw new Error(`result ${signal} is not in the scan`);
          const { signal_id, confidence } = fields;
          const { symbol, interval, raw_confidence: raw } = recordedOf(recorded, signal_id);
          return { ...candidate, symbol, interval, confidence: confidence ?? raw, signal_id };
        },
      ),
  };
}

function recordedOf(recorded: ReadonlyMap<string, RecordedFields>, signalId: string): RecordedFields {
  const record = recorded.get(signalId);
  if (record === undefined) throw new Error(`signal ${signalId} is not in the record`);
  return record;
}
