import { createHash, randomUUID } from 'node:crypto';
import { failWith, ok, type Result } from '@sextant/workers/src/result.ts';
import type { z } from 'zod';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import { withSystem, withUser } from '../../platform/db/scope.ts';
import { type Outcome, type Refusal, refuse } from '../../platform/errors.ts';
import { checkedResults } from '../scan/checkedResults.ts';
import type { OpenBody, OpenedAnswer } from './contract.ts';
import { decide, type Skip, type Wish } from './decide.ts';
import { type OpenDeps, openPosition, readAccountFacts, readMarketFacts } from './openPosition.ts';
import { positionToWire } from './positionRow.ts';
import { previewToWire, type PreviewWire, type WarningFacts, warningsOf } from './preview.ts';
import { readPosition } from './readPositions.ts';
import { handWishOfResult } from './scanWish.ts';

/** Where positions are simulated. */
const exchange = 'binance';

interface Asked {
  wish: Wish;
  signalId: string | null;
}

/** Resolves the body: a result of one of the caller's scans, or levels given in the body. */
async function askedFor({ db }: OpenDeps, userId: string, body: OpenBody): Promise<Outcome<Asked>> {
  const { symbol, interval, scan_id: scanId, leverage, qty } = body;
  const chosen: Pick<Wish, 'leverage' | 'sizing'> | Pick<Wish, 'leverage'> = {
    ...(leverage === undefined ? {} : { leverage }),
    ...(qty === undefined ? {} : { sizing: { by: 'quantity', quantity: qty } as const }),
  };
  if (scanId === undefined) return ok({ wish: { ...wishOfBody(body), ...chosen }, signalId: null });
  const results = await withUser(db, userId, (tx) => checkedResults(tx, scanId));
  if (results === null) return refuse('not_found', 'There is no such scan.');
  if (results === 'unfinished') return refuse('no_result', 'The scan is not done.', { field: 'scan_id' });
  const result = results.find((each) => each.symbol === symbol && each.interval === interval);
  if (result === undefined) {
    return refuse('no_result', `The scan has no result for ${symbol} on ${interval}.`, { field: 'symbol' });
  }
  return ok({ wish: { ...handWishOfResult(result), ...chosen }, signalId: result.signal_id });
}

function wishOfBody(body: OpenBody): Wish {
  const { symbol, interval, side, stop_loss: stopLoss, take_profit: takeProfit, entry_price, confidence } = body;
  return {
    source: 'manual',
    symbol,
    interval,
    direction: side ?? 'NEUTRAL',
    confidence: confidence ?? 0,
    signalPrice: entry_price ?? null,
    levels: { stopLoss: stopLoss ?? null, takeProfit: takeProfit ?? null },
    levelsOf: 'owner',
    riskMultiplier: 1,
    sizing: { by: 'settings' },
  };
}

/** What opening would do at this moment. Nothing is written. */
export async function previewPosition(deps: OpenDeps, userId: string, body: OpenBody): Promise<Outcome<PreviewWire>> {
  const asked = await askedFor(deps, userId, body);
  if (!asked.ok) return asked;
  const { wish } = asked.value;
  const facts = await readMarketFacts(deps, exchange, wish.symbol);
  if (!facts.ok) return facts;
  const { market } = deps.config;
  const account = await withSystem(deps.db, async (tx) =>
    readAccountFacts(tx, userId, wish, { nowMs: await databaseNowMs(tx), market }),
  );
  const decision = decide(deps.kernel(), wish, { ...account, ...facts.value });
  const { balance_usdt: balanceUsdt } = account.preferences;
  const about = await warningFacts(deps, userId, { symbol: wish.symbol, balanceUsdt });
  return ok(previewToWire(wish, decision, { quote: facts.value.quote, ...about }));
}

export type HandOpening = Result<z.input<typeof OpenedAnswer>, Refusal & { skip?: Skip }>;

/** A key of any length the header allows, in the room a reference has. */
const refOf = (key: string): string => `manual:${createHash('sha256').update(key).digest('hex')}`;

/** Opens by hand: at our own price and by the same rules, but for those of automatic opening. @param key makes a repetition safe */
export async function openByHand(
  deps: OpenDeps,
  userId: string,
  body: OpenBody,
  key: string = randomUUID(),
): Promise<HandOpening> {
  const asked = await askedFor(deps, userId, body);
  if (!asked.ok) return asked;
  const { wish, signalId } = asked.value;
  const opened = await openPosition(deps, {
    ...wish,
    userId,
    exchange,
    openingRef: refOf(key),
    scanId: body.scan_id ?? null,
    signalId,
    runId: null,
  });
  if (!opened.ok) return opened;
  const opening = opened.value;
  if (opening.outcome === 'skipped') {
    return failWith({ code: 'position_refused', message: opening.message, skip: opening.skip });
  }
  const { id, message, decision } = opening;
  const row = await withUser(deps.db, userId, (tx) => readPosition(tx, id));
  if (row === undefined) return refuse('not_found', 'The position is gone.');
  const isAnother = row.symbol !== wish.symbol || row.side !== wish.direction || row.interval !== wish.interval;
  if (isAnother) return refuse('conflict', 'This Idempotency-Key came with another body.');
  const warnings =
    decision === null
      ? []
      : warningsOf(
          decision,
          await warningFacts(deps, userId, { symbol: wish.symbol, balanceUsdt: decision.balanceUsdt }),
        );
  return ok({ id, message, position: positionToWire(row), warnings });
}

async function warningFacts(
  { market }: OpenDeps,
  userId: string,
  { symbol, balanceUsdt }: { symbol: string; balanceUsdt: number },
): Promise<WarningFacts> {
  const funding = await market.funding({ exchange, symbol, userId });
  return { balanceUsdt, funding: funding.ok ? funding.value.value : null, nowMs: Date.now() };
}
