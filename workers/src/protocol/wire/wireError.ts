import type { TaskError } from '../taskResult.ts';

/** Wire names of the task's inputs, where they differ. */
const names: [inside: RegExp, wire: string][] = [
  [/^(search\.)?(params|space)\.stopLossFraction$/, '$1$2.slPct'],
  [/^(search\.)?(params|space)\.takeProfitFraction$/, '$1$2.tpPct'],
  [/^(search\.)?(params\.trailing|space)\.(callback|step|activation)Fraction$/, '$1$2.$3Pct'],
  [/^(search\.)?scoredCount$/, '$1scored'],
  [/^(search\.)?(samples|target|seed|trainOn|part|bestOfParts|walkForward|space)\b/, '$1optimize.$2'],
  [/^(search\.)?rules\.space\b/, '$1optimize.rulesSpace'],
  [/^(search\.)?rules\.(strategy|context|news)\b/, '$1$2'],
  [/^requests(\[\d+\])\.params\./, 'indicators$1.'],
  [/^requests/, 'indicators'],
];

/** A task's error with the field names of the JSON form; the message of a task names its field first. */
export function toWireError(error: TaskError): TaskError {
  const { field, message } = error;
  if (field === undefined) return error;
  const renamed = names.reduce((name, [inside, wire]) => name.replace(inside, wire), field);
  return { ...error, field: renamed, message: message.replace(field, renamed) };
}
