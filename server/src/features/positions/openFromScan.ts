import { checkOutcome } from '@sextant/workers/src/signals/signalChecks.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { sql } from 'kysely';
import { type SystemTx, withSystem, withUser } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { preferencesOf } from '../preferences/preferencesOf.ts';
import { checkedResults, type OpeningTerms, readOpeningTerms } from '../scan/checkedResults.ts';
import { type AutoItem, readItems } from '../scan/autoRunItems.ts';
import { type AutoRunWire, readRunOf } from './runRepository.ts';
import { type OpeningSettings, turnOf } from '@sextant/workers/src/signals/openingRules.ts';
import {
  isSkipDetail,
  isSuccessor,
  scanRejection,
  scanText,
  type VerdictFacts,
} from '@sextant/workers/src/signals/signalVerdict.ts';
import { mayTakeSlot } from '../scan/candidates.ts';
import { type SkipDetail, skipMessage } from '@sextant/workers/src/signals/skipReasons.ts';
import { type OpenDeps, openInTurn, type Opening, openingsInTurn, readMarketFacts, skipOff } from './openPosition.ts';
import { requestOfResult, type ScanResult } from './scanRequest.ts';

/** The run, and whether this call ended it. */
export interface OpenedRun {
  run: AutoRunWire;
  isNew: boolean;
}

interface Run {
  userId: string;
  scanId: string;
  runId: string;
}

/**
 * Opens the results of a scan once: a second call does not change a finished run. A scan older than its shortest interval opens nothing,
 * and its run says so. A run whose node died continues where it stopped.
 */
export async function openFromScan(deps: OpenDeps, userId: string, scanId: string): Promise<Outcome<OpenedRun>> {
  const { results, terms } = await withUser(deps.db, userId, async (tx) => ({
    results: await checkedResults(tx, scanId),
    terms: await readOpeningTerms(tx, scanId),
  }));
  if (results === null) return reject('not_found', 'There is no such scan.');
  if (results === 'unfinished') return reject('no_result', 'The scan is not done.', { field: 'scan_id' });
  const { runId, isOver } = await withSystem(deps.db, (tx) => startRun(tx, userId, scanId));
  const run = { userId, scanId, runId };
  if (!isOver && !terms.isTooOld) await openResults(deps, run, results, terms);
  const isNew = !isOver && (await withSystem(deps.db, (tx) => endRun(tx, runId, terms.isTooOld)));
  const wire = await withUser(deps.db, userId, (tx) => readRunOf(tx, userId, scanId));
  return wire === null ? reject('not_found', 'There is no such scan.') : ok({ run: wire, isNew });
}

async function startRun(tx: SystemTx, userId: string, scanId: string): Promise<{ runId: string; isOver: boolean }> {
  await tx
    .insertInto('auto_runs')
    .values({ user_id: userId, scan_id: scanId })
    .onConflict((conflict) => conflict.columns(['user_id', 'scan_id']).doNothing())
    .execute();
  const { id, finished_at: finishedAt } = await tx
    .selectFrom('auto_runs')
    .select(['id', 'finished_at'])
    .where('user_id', '=', userId)
    .where('scan_id', '=', scanId)
    .executeTakeFirstOrThrow();
  return { runId: id, isOver: finishedAt !== null };
}

/** True for the one call that ends it. */
async function endRun(tx: SystemTx, runId: string, isTooOld: boolean): Promise<boolean> {
  const ended = await tx
    .updateTable('auto_runs')
    .set({ finished_at: sql`now()`, refused: isTooOld ? 'scan_too_old' : null })
    .where('id', '=', runId)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return ended.numUpdatedRows === 1n;
}

/** Opens approved results, best first, up to the number of positions that the settings allow now. */
async function openResults(
  deps: OpenDeps,
  run: Run,
  results: readonly ScanResult[],
  { strategy }: OpeningTerms,
): Promise<void> {
  const settings = await withUser(deps.db, run.userId, preferencesOf);
  const rules = { settings, strategy };
  const inTurn = results.filter((result) => isInTurn(result, rules));
  const others = results.filter((result) => !isInTurn(result, rules)).map((result) => itemOfScan(result, rules));
  await withSystem(deps.db, (tx) => keepItems(tx, run, others));
  const before = await withSystem(deps.db, (tx) => readItems(tx, run.runId));
  const opened = new Set(before.flatMap(({ symbol, outcome }) => (outcome === 'OPENED' ? symbol : [])));
  for (const result of inTurn) {
    const turn = turnOf(result.symbol, opened, settings.positions_wanted);
    if (turn !== null) await withSystem(deps.db, (tx) => keepItems(tx, run, [itemInTurn(result, turn)]));
    else if (await openResult(deps, run, result, strategy)) opened.add(result.symbol);
  }
}

type Rules = Pick<VerdictFacts, 'strategy'> & { settings: OpeningSettings };

/** True for the results selected by the scan, and for checked results that pass its rules now and may replace one of them. */
const isInTurn = (result: ScanResult, rules: Rules): boolean =>
  result.outcome === 'ELIGIBLE' || (isSuccessor(result, rules) && isJudged(result));

const isJudged = (result: ScanResult): boolean => !['not_asked', 'no_verdict'].includes(checkOutcome(result));

const baseOf = ({ symbol, interval, direction, confidence }: ScanResult) => ({
  symbol,
  interval,
  confidence,
  side: direction === 'NEUTRAL' ? null : direction,
});

const itemInTurn = (result: ScanResult, detail: SkipDetail): AutoItem => ({
  ...baseOf(result),
  outcome: 'NO_MATCH',
  detail,
  message: skipMessage('NO_MATCH', detail),
  position_id: null,
});

/** Results whose turn does not come: by the rules of the scan with the settings of now, or behind better ones, unchecked. */
function itemOfScan(result: ScanResult, rules: Rules): AutoItem {
  const match = scanRejection(result, rules);
  if (match === null) return itemInTurn(result, mayTakeSlot(result) ? result.filtered_by : 'ai_unchecked');
  const detail = isSkipDetail(match.filteredBy) ? match.filteredBy : null;
  const message = scanText(result, match, rules.settings);
  return { ...baseOf(result), outcome: match.outcome, detail, message, position_id: null };
}

/** True when a position of the result is open afterwards. */
async function openResult(
  deps: OpenDeps,
  ids: Run,
  result: ScanResult,
  strategy: OpeningTerms['strategy'],
): Promise<boolean> {
  const failed = (message: string): AutoItem => ({
    ...baseOf(result),
    outcome: 'FAILED',
    detail: null,
    message: message.slice(0, 500),
    position_id: null,
  });
  try {
    const { auto_open_enabled: isOn } = await withUser(deps.db, ids.userId, preferencesOf);
    // Skips the price fetch when nothing will be opened: a market outage must not be recorded as a failed opening.
    const facts = isOn ? await readMarketFacts(deps, result.exchange, result.symbol) : ok(null);
    if (!facts.ok) {
      await withSystem(deps.db, (tx) => keepItems(tx, ids, [failed(facts.error.message)]));
      return false;
    }
    // Position, events and item are written in one transaction, so that a killed process leaves all or none.
    return await withSystem(deps.db, async (tx) => {
      await openingsInTurn(tx, ids.userId);
      const before = (await readItems(tx, ids.runId)).find(
        ({ symbol, interval }) => symbol === result.symbol && interval === result.interval,
      );
      if (before !== undefined && before.outcome !== 'FAILED') return before.outcome === 'OPENED';
      const request = {
        ...requestOfResult(result, strategy),
        ...ids,
        exchange: result.exchange,
        openingRef: `scan:${ids.scanId}:${result.symbol}`,
        signalId: result.signal_id,
      };
      const opening =
        facts.value === null ? ok(await skipOff(tx, request)) : await openInTurn(deps, tx, request, facts.value);
      const item = opening.ok ? itemOf(result, opening.value) : failed(opening.error.message);
      await keepItems(tx, ids, [item]);
      return item.outcome === 'OPENED';
    });
  } catch (error) {
    // A failed write must not block the other openings; the run reports how many failed.
    deps.onOpenFailure?.(error);
    await withSystem(deps.db, (tx) => keepItems(tx, ids, [failed('Storing failed.')]));
    return false;
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
  { runId: run_id, userId: user_id }: Run,
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
