import type { TaskError } from '@sextant/workers/src/protocol/taskResult.ts';
import { toWireError } from '@sextant/workers/src/protocol/wire/wireError.ts';
import { type ApiErrorCode, type Outcome, reject } from '../../platform/errors.ts';

/** API error codes of failed engine tasks. */
export const taskCodes: Record<TaskError['code'], ApiErrorCode> = {
  bad_input: 'validation_failed',
  too_short: 'too_few_candles',
  not_trading: 'market_not_trading',
  out_of_memory: 'payload_too_large',
  engine_trap: 'internal',
  cancelled: 'deadline_exceeded',
  deadline_exceeded: 'deadline_exceeded',
  overloaded: 'overloaded',
};

/** Maps a failed engine task to an API error with the API's field names. */
export function rejectTask(error: TaskError): Outcome<never> {
  const { code, message, field } = toWireError(error);
  return reject(taskCodes[code], message, field === undefined ? {} : { field });
}
