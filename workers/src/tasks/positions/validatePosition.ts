import type { BookPosition, BookTrailing } from '../../positions/bookTypes.ts';
import { trailingNumbers } from '../../positions/trailingNumbers.ts';
import type { TaskResult } from '../../protocol/taskResult.ts';
import { check, firstFailure } from '../validateParams.ts';
import { ok } from '../../core/result.ts';

const price = { min: 0, max: 1e15, isOpen: true };

/** Checks an open position before a step. @param field the caller's name for it, used in messages */
export function validatePosition(position: BookPosition, field: string): TaskResult<null> {
  const at = (name: keyof BookPosition): string => `${field}.${name}`;
  return firstFailure([
    () => check(at('entryTimeMs'), position.entryTimeMs, { min: 0, max: 1e15 }),
    () => check(at('entryPrice'), position.entryPrice, price),
    () => check(at('quantity'), position.quantity, price),
    () => check(at('leverage'), position.leverage, { min: 1, max: 1000 }),
    () => check(at('stopPrice'), position.stopPrice, price),
    () => check(at('targetPrice'), position.targetPrice, price),
    () =>
      position.liquidationPrice === null ? ok(null) : check(at('liquidationPrice'), position.liquidationPrice, price),
    () => check(at('bestPrice'), position.bestPrice, price),
    () => check(at('tickSize'), position.tickSize, { min: 0, max: 1e15 }),
    () => check(at('takerFeeFraction'), position.takerFeeFraction, { min: 0, max: 0.1 }),
    () => validateTrailing(position.trailing, `${field}.trailing`),
  ]);
}

function validateTrailing(trailing: BookTrailing, field: string): TaskResult<null> {
  if (trailing.mode === 'off') return ok(null);
  return firstFailure(
    trailingNumbers(trailing)
      .filter(({ row }) => row.mode === undefined || row.mode === trailing.mode)
      .map(
        ({ row, path, value, isMissing }) =>
          () =>
            check(`${field}.${path}`, isMissing ? Number.NaN : value, row.classic?.checked ?? row),
      ),
  );
}
