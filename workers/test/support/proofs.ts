import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { candleFields } from '../../src/candles/candleColumns.ts';
import type { BacktestResult } from '../../src/protocol/backtest.ts';
import { backtestFromWire, rulesFromWire } from '../../src/protocol/wire/backtest.ts';
import { canonicalText } from '../../src/proof/canonicalJson.ts';
import { PROOF_FORMAT, type Proof, type ProofKeys, ProofRequestWire, proofResultOf } from '../../src/proof/contract.ts';
import { runTask, type TaskEngine } from '../../src/tasks/index.ts';
import { randomBacktest } from './randomRuns.ts';

/** A signer as an installation has one. */
export function testSigner(): { keys: ProofKeys; signed: (unsigned: Omit<Proof, 'signature' | 'key'>) => Proof } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const bytes = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const id = createHash('sha256').update(bytes).digest('hex');
  const header = { algorithm: 'Ed25519', id, publicKey: bytes.toString('hex') } as const;
  const created = { created_at: '2026-01-01T00:00:00.000Z', retired_at: null };
  return {
    keys: { algorithm: 'Ed25519', keys: [{ id, public_key: header.publicKey, ...created }] },
    signed(rest) {
      const unsigned = { ...rest, key: header };
      return { ...unsigned, signature: sign(null, Buffer.from(canonicalText(unsigned)), privateKey).toString('hex') };
    },
  };
}

/** The content of a proof of own rules on random candles. */
export function unsignedProof(engine: TaskEngine, seed = 3): Omit<Proof, 'signature' | 'key'> {
  const { candles } = randomBacktest(11, seed);
  const columns = Object.fromEntries(candleFields.map((name) => [name, Array.from(candles[name])]));
  const parsed = ProofRequestWire.parse({
    candles: columns,
    rules: 'long when rsi(5) < 45\nexit long when rsi(5) > 55\nstop 3 %',
    interval: '1h',
    scored: Math.floor(candles.time.length / 2),
  });
  const { params, ...market } = backtestFromWire(parsed);
  const rules = rulesFromWire(parsed);
  if (rules === undefined) throw new Error('The rules were not read.');
  const run = runTask(engine, { name: 'backtestStrategy', input: { ...market, ...rules } });
  if (!run.ok) throw new Error(run.error.message);
  const { strategy, costs, scored } = parsed;
  const result = proofResultOf(run.value as BacktestResult, parsed.params, { costs: market.costs, strategy });
  void params;
  return {
    format: PROOF_FORMAT,
    issuer: 'https://sextant.example',
    issuedAt: '2026-02-03T04:05:06.000Z',
    market: { symbol: 'BTCUSDT', exchange: 'binance', interval: '1h', label: null, fineDataProblem: null },
    request: { candles: columns, strategy, costs, scored },
    result: JSON.parse(JSON.stringify(result)) as Proof['result'],
    tried: { trials: 41, looks: 3 },
  };
}
