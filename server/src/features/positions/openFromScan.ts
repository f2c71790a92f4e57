import { sql } from 'kysely';
import { type SystemTx, withSystem, withUser } from '../../platform/db/scope.ts';
import { ok, type Outcome, refuse } from '../../platform/errors.ts';
import { preferencesOf } from '../preferences/preferencesOf.ts';
import { checkedResults, thresholdsOf } from '../scan/checkedResults.ts';
import { type AutoItem, type AutoRunWire, readItems, readRunOf } from './runRepository.ts';
import { skipDetails, type SkipDetail } from './contract.ts';
import { percentOf } from './decide.ts';
import { skipMessage } from './messages.ts';
import { type OpenDeps, openInTurn, type Opening, openingsInTurn, readMarketFacts, skipOff } from './openPosition.ts';
import { wishOfResult, type ScanResult } from './scanWish.ts';

/**
 * Opens what a scan found, by the rules of decide.ts; while that is switched off each result is skipped for this reason. Again
 * for the same scan is the same run: what was opened or skipped stays so, what failed is tried again. A node that dies in between
 * leaves a run that goes on where it stopped.
 */
export async function openFromScan(deps: OpenDeps, userId: string, scanId: string): Promise<Outcome<AutoRunWire>> {
  const { results, thresholds } = await withUser(deps.db, userId, async (tx) => ({
    results: await checkedResults(tx, scanId),
    thresholds: await thresholdsOf(tx, scanId),
  }));
  if (results === null) return refuse('not_found', 'There is no such scan.');
  if (results === 'unfinished') return refuse('no_result', 'The scan is not done.', { field: 'scan_id' });
  const runId = await withSystem(deps.db, async (tx) => {
    await tx
      .insertInto('auto_runs')
      .values({ user_id: userId, scan_id: scanId })
      .onConflict((conflict) => conflict.columns(['user_id', 'scan_id']).doNothing())
      .execute();
    const run = await tx
      .selectFrom('auto_runs')
      .select('id')
      .where('user_id', '=', userId)
      .where('scan_id', '=', scanId)
      .executeTakeFirstOrThrow();
    return run.id;
  });
  const others = results.filter((result) => !isEligible(result));
  const left = others.map((result) => itemOfScan(result, thresholds));
  await withSystem(deps.db, (tx) => keepItems(tx, { runId, userId }, left));
  for (const result of results.filter(isEligible)) await openResult(deps, { userId, scanId, runId }, result);
  await withSystem(deps.db, (tx) =>
    tx
      .updateTable('auto_runs')
      .set({ finished_at: sql`now()` })
      .where('id', '=', runId)
      .execute(),
  );
  const run = await withUser(deps.db, userId, (tx) => readRunOf(tx, userId, scanId));
  return run === null ? refuse('not_found', 'There is no such scan.') : ok(run);
}

const isEligible = ({ outcome }: ScanResult): boolean => outcome === 'ELIGIBLE';

const baseOf = ({ symbol, interval, direction, confidence }: ScanResult) => ({
  ...{ symbol, interval, confidence, side: direction === 'NEUTRAL' ? null : direction },
});

type Thresholds = Awaited<ReturnType<typeof thresholdsOf>>;

const knownDetails = new Set<string>(skipDetails);

/** What the scan itself did not choose keeps the scan's reason. */
function itemOfScan(result: ScanResult, { minConfidencePct, confidenceFloor }: Thresholds): AutoItem {
  const reason = result.outcome === 'ELIGIBLE' ? 'NO_MATCH' : result.outcome;
  const { filtered_by: rule } = result;
  const detail = rule !== null && knownDetails.has(rule) ? (rule as SkipDetail) : null;
  const limit = detail === 'tuning_floor' ? percentOf(confidenceFloor ?? 0) : minConfidencePct;
  const numbers = limit === undefined ? null : { value: percentOf(result.confidence), limit };
  const ofSize = reason === 'ZERO_QTY' ? result.position.message : null;
  const message = ofSize ?? skipMessage(reason, detail, reason === 'LOW_CONF' ? numbers : null);
  return { ...baseOf(result), outcome: reason, detail, message, position_id: null };
}

async function openResult(
  deps: OpenDeps,
  ids: { userId: string; scanId: string; runId: string },
  result: ScanResult,
): Promise<void> {
  const failed = (message: string): AutoItem => ({
    ...{ ...baseOf(result), outcome: 'FAILED', detail: null, message: message.slice(0, 500), position_id: null },
  });
  try {
    const { auto_open_enabled: isOn } = await withUser(deps.db, ids.userId, preferencesOf);
    // No price is asked for what will not be opened: a market that is away must not read as a failed opening.
    const facts = isOn ? await readMarketFacts(deps, result.exchange, result.symbol) : ok(null);
    if (!facts.ok) {
      await withSystem(deps.db, (tx) => keepItems(tx, ids, [failed(facts.refusal.message)]));
      return;
    }
    // Position, events and item are there together or not at all, whoever is killed in between.
    await withSystem(deps.db, async (tx) => {
      await openingsInTurn(tx, ids.userId);
      const before = (await readItems(tx, ids.runId)).find(
        ({ symbol, interval }) => symbol === result.symbol && interval === result.interval,
      );
      if (before !== undefined && before.outcome !== 'FAILED') return;
      const request = {
        ...wishOfResult(result),
        ...ids,
        exchange: result.exchange,
        openingRef: `scan:${ids.scanId}:${result.symbol}`,
        signalId: result.signal_id,
      };
      const opening = facts.value === null ? skipOff(tx, request) : openInTurn(deps, tx, request, facts.value);
      await keepItems(tx, ids, [itemOf(result, await opening)]);
    });
  } catch (error) {
    // One that cannot be written must not keep the others from being opened; the run says how many failed.
    deps.onOpenFailure?.(error);
    await withSystem(deps.db, (tx) => keepItems(tx, ids, [failed('It could not be stored.')]));
  }
}

function itemOf(result: ScanResult, opening: Opening): AutoItem {
  const { message } = opening;
  if (opening.outcome === 'opened') {
    return { ...baseOf(result), outcome: 'OPENED', detail: null, message, position_id: opening.id };
  }
  return { ...baseOf(result), outcome: opening.skip.reason, detail: opening.skip.detail, message, position_id: null };
}

async function keepItems(
  tx: SystemTx,
  { runId: run_id, userId: user_id }: { runId: string; userId: string },
  items: readonly AutoItem[],
): Promise<void> {
  if (items.length === 0) return;
  await tx
    .insertInto('auto_run_items')
    .values(items.map((item) => ({ ...item, run_id, user_id })))
    .onConflict((conflict) =>
      conflict
        .columns(['run_id', 'symbol', 'interval'])
        .doUpdateSet((eb) => ({
          outcome: eb.ref('excluded.outcome'),
          detail: eb.ref('excluded.detail'),
          message: eb.ref('excluded.message'),
          position_id: eb.ref('excluded.position_id'),
        }))
        .where('auto_run_items.outcome', '=', 'FAILED'),
    )
    .execute();
}
