import { measuredTemplates } from '@sextant/workers/src/rules/templates/verdicts.gen.ts';
import { formatFixed } from '../../../format/number.ts';

const { series, verdicts } = measuredTemplates;
const dates = series.flatMap(({ from, until }) => [from, until]).sort();
const markets = [...new Set(series.map(({ name }) => name.split(' ')[0] ?? name))].join(', ');
const where = `${series.length} real series (${markets}, ${dates[0] ?? ''} to ${dates.at(-1) ?? ''})`;

/** What a template was worth on real candles; empty where it was not measured. */
export function templateVerdictText(id: string): string {
  const measured = verdicts.find((each) => each.id === id);
  if (measured === undefined || measured.netPct === null) return '';
  const net = `${measured.netPct > 0 ? '+' : ''}${formatFixed(measured.netPct, 1)} %`;
  return `Measured on ${where}: median net ${net}, verdict ${measured.verdict}.`;
}
