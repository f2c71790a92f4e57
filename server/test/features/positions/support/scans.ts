import { randomUUID } from 'node:crypto';
import { capture, hold, inLedger } from '../../../../src/features/credits/ledger.ts';
import type { TestDatabase } from '../../../support/createTestDatabase.ts';

export interface GivenResult {
  symbol: string;
  /** The levels are 3 % below and 6 % above. */
  price: number;
  confidence?: number;
  outcome?: string;
  filteredBy?: string;
  interval?: string;
  /** Undefined: no AI check was made. */
  isApproved?: boolean;
}

const resultOf = ({
  symbol,
  price,
  interval = '1h',
  confidence = 0.8,
  outcome = 'ELIGIBLE',
  filteredBy: filtered_by,
}: GivenResult) => ({
  symbol,
  interval,
  exchange: 'binance',
  direction: 'LONG',
  confidence,
  confidence_kind: 'calibrated',
  horizon_min: 60,
  position: { qty: 1, refused_by: null, message: null, liquidationApprox: price * 0.9 },
  price,
  outcome,
  filtered_by: filtered_by ?? null,
  stopLoss: price * 0.97,
  takeProfit: price * 1.06,
  suggestedRiskMultiplier: null,
  ai_state: 'offline',
  rule_check: 'not_run',
  signal_id: null,
});

const verdictOf = (isApproved: boolean) => ({
  decision: isApproved ? 'approved' : 'rejected',
  rationale: 'as the test says',
  tags: [],
  riskMultiplier: 0.5,
  horizonMinutes: 60,
  suggestedStopLossPct: null,
  suggestedTakeProfitPct: null,
});

/** A scan of the user that is done and paid with a credit, with a result and an AI check for each of `given`. */
export async function storeScan(
  { db, asOwner }: Pick<TestDatabase, 'db' | 'asOwner'>,
  userId: string,
  given: readonly GivenResult[],
): Promise<string> {
  const id = randomUUID();
  const paid = await inLedger(db, async (tx) => {
    const key = `scan:${id}`;
    const held = await hold(tx, { userId, credits: 1, reason: 'scan', ref: id, key, expiresInS: 60 });
    await capture(tx, held.id);
    return held.id;
  });
  const results = given.map(resultOf);
  await asOwner(
    `insert into scans (id, user_id, status, params, results, credit_ref, finished_at)
     values ($1, $2, 'done', '{}', $3, $4, now())`,
    [id, userId, JSON.stringify({ all: results, best: results[0] ?? null }), paid.ok ? paid.value : null],
  );
  const checked = given.filter(({ isApproved }) => isApproved !== undefined);
  for (const [index, { symbol, interval = '1h', isApproved = false }] of checked.entries()) {
    await asOwner(
      `insert into scan_ai_checks (scan_id, user_id, symbol, interval, place, state, decided_by, model, verdict, soft_approval, allow_correction)
       values ($1, $2, $3, $6, $4, 'online', 'built_in', 'm', $5, false, false)`,
      [id, userId, symbol, index + 1, JSON.stringify(verdictOf(isApproved)), interval],
    );
  }
  return id;
}
