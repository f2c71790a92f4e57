import { z } from 'zod';
import { runShape } from '../protocol/wire/backtest.ts';
import { backtestToWire, type BacktestJson, type SizedBy } from '../protocol/wire/backtestResult.ts';
import { takeRules } from '../protocol/wire/ownRules.ts';
import type { BacktestResult } from '../protocol/backtest.ts';
import type { StrategyParamsJson } from '../protocol/wire/strategyParams.ts';

/** The file of a proof-carrying result. docs/proofs.md is its text. */

export const PROOF_FORMAT = 'sextant-proof-1';

const Hex32 = z.string().regex(/^[0-9a-f]{64}$/);

/** What is run again: the input of the engine, with everything that was loaded for it. */
export const ProofRequestWire = z
  .strictObject({ ...runShape, scored: z.int().min(1) })
  .omit({ news: true })
  .check(takeRules);

const Version = z.strictObject({
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number(),
});
/** A closed candle in both versions. */
const RevisionWire = z.strictObject({
  interval: z.string(),
  price: z.string(),
  at: z.iso.datetime(),
  noticed_at: z.iso.datetime(),
  /** As first sent; null where that is stored no more. */
  first: Version.nullable(),
  revised: Version,
});

export const ProofWire = z.strictObject({
  format: z.literal(PROOF_FORMAT),
  /** Address of the installation that ran and signed it. */
  issuer: z.string(),
  issuedAt: z.iso.datetime(),
  market: z.strictObject({
    symbol: z.string().nullable(),
    exchange: z.string().nullable(),
    interval: z.string(),
    label: z.string().nullable(),
    /** Why mark prices or minute candles are missing; null: all available ones were used. */
    fineDataProblem: z.string().nullable(),
    /** Candles of the run that the exchange sent with other values later, in both versions. Absent: none is known. */
    revisions: z.array(RevisionWire).min(1).optional(),
  }),
  request: z.record(z.string(), z.unknown()),
  result: z.looseObject({ hashes: z.strictObject({ engine: Hex32, data: Hex32, params: Hex32, result: Hex32 }) }),
  /** What the account had tried on these candles before this run. */
  tried: z.strictObject({ trials: z.int(), looks: z.int() }),
  key: z.strictObject({
    algorithm: z.literal('Ed25519'),
    /** SHA-256 of the public key's 32 bytes. */
    id: Hex32,
    publicKey: Hex32,
  }),
  /** Over the canonical JSON of all other fields. Lower-case hex, as every byte string here: it has one spelling. */
  signature: z.string().regex(/^[0-9a-f]{128}$/),
});
export type Proof = z.output<typeof ProofWire>;
export type UnsignedProof = Omit<Proof, 'signature'>;

/** The document at `/.well-known/sextant-proof-key.json`: the current key first, then earlier ones, newest first. */
export const ProofKeysWire = z
  .object({
    algorithm: z.literal('Ed25519'),
    keys: z.array(
      z.object({
        id: Hex32,
        public_key: Hex32,
        created_at: z.iso.datetime(),
        retired_at: z.iso.datetime().nullable().meta({ description: 'null: signs now.' }),
      }),
    ),
  })
  .meta({ description: 'Public keys of this installation for proofs, the current one first.' });
export type ProofKeys = z.output<typeof ProofKeysWire>;
export const PROOF_KEYS_PATH = '/.well-known/sextant-proof-key.json';

/** Figures, trades and hashes of a run. Equity and scores are in the hash of the result. */
export type ProofResult = Omit<BacktestJson, 'bestParams' | 'equity' | 'score'>;

export function proofResultOf(result: BacktestResult, params: StrategyParamsJson, sizedBy: SizedBy): ProofResult {
  const {
    bestParams: _inRequest,
    equity: _hashed,
    score: _hashedToo,
    ...rest
  } = backtestToWire(result, params, sizedBy);
  return rest;
}
