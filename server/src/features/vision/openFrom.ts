import { type Db, withSystem } from '../../platform/db/scope.ts';
import type { Interval } from '../market/port.ts';
import { type OpenDeps, openPosition } from '../positions/openPosition.ts';
import type { VisionResult } from './contract.ts';
import { type Combined, recordObjection } from './decideView.ts';
import { levelProblem } from './rules.ts';
import { openingRefOf, writeOpening } from './visionRepository.ts';

const openFailed = 'Auto position failed';

/** Mentions an AI model only if one viewed the picture, and patterns only if some were found. */
export function notOpenedMessage({
  patterns,
  views,
}: {
  patterns: readonly unknown[];
  views: readonly { by: string }[];
}): string {
  const isOfModel = views.some(({ by }) => by === 'model');
  const result =
    patterns.length === 0 ? 'No pattern detected' : isOfModel ? 'AI detected patterns' : 'Patterns detected';
  return `${result}. No position opened.`;
}

/**
 * Opens a position when the picture shows the newest candles of a known market. Levels that were only read open nothing: pictures are
 * untrusted input.
 */
export async function openFrom(
  deps: OpenDeps & { db: Db },
  { id, userId }: { id: string; userId: string },
  { result, range, isConfirmed }: Combined,
): Promise<void> {
  const { direction, levels, symbol, timeframe, grounding, confidence } = result;
  const skip = (detail: string): NonNullable<VisionResult['opening']> => ({
    outcome: 'skipped',
    message: notOpenedMessage(result),
    detail,
    position_id: null,
  });
  const opening = async (): Promise<NonNullable<VisionResult['opening']>> => {
    if (grounding?.state !== 'verified' || symbol === null || timeframe === null)
      return skip('The market of the picture is not verified.');
    if (!grounding.is_current) return skip('The picture does not show the newest candles.');
    if (!isConfirmed) return skip('The rules disagree with the direction of the AI model.');
    if (levelProblem(direction, levels, range) !== null) return skip('The levels are invalid.');
    const objection = recordObjection(result);
    if (objection !== null) return skip(objection);
    try {
      const opened = await openPosition(deps, {
        userId,
        exchange: 'binance',
        source: 'vision',
        symbol,
        interval: timeframe as Interval,
        direction,
        confidence,
        signalPrice: levels.entry,
        levels: { stopLoss: levels.sl, takeProfit: levels.tp },
        levelsOf: 'signal',
        riskMultiplier: 1,
        sizing: { by: 'chart', riskScore: result.risk_score },
        openingRef: openingRefOf(id),
        scanId: null,
        signalId: null,
        runId: null,
      });
      if (!opened.ok) return { ...skip(opened.error.message), outcome: 'failed', message: openFailed };
      const { value } = opened;
      if (value.outcome === 'skipped') return skip(value.message);
      return { outcome: 'opened', message: value.message, detail: null, position_id: value.id };
    } catch (error) {
      deps.onOpenFailure?.(error);
      return { ...skip('Storing failed.'), outcome: 'failed', message: openFailed };
    }
  };
  const done = await opening();
  await withSystem(deps.db, (tx) => writeOpening(tx, id, done));
}
