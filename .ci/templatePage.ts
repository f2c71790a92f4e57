import { formatMarkdown } from '../engine-as/formatMarkdown.ts';
import type { RuleTemplate } from '../workers/src/rules/templates/template.ts';
import type { TemplateMeasurement, TemplateVerdict } from '../workers/src/rules/templates/verdict.ts';

/** docs/rules-templates.md from the templates and what was measured. The hand-written part is here, too. */

const number = (value: number | null, digits: number): string => (value === null ? '' : value.toFixed(digits));
const cells = (row: readonly (string | number)[]): string => `| ${row.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [cells(head), cells(head.map(() => '---')), ...rows.map(cells)].join('\n');

function verdictRow({ id, title }: RuleTemplate, verdict: TemplateVerdict): (string | number)[] {
  const { seriesCount, netPct, gainCount, tradeCount, dailySharpe, levels } = verdict;
  return [
    `[${title}](#${id})`,
    seriesCount,
    number(netPct, 3),
    gainCount,
    number(tradeCount, 1),
    number(dailySharpe, 3),
    levels.luck,
    levels.unclear,
    levels['not enough data'],
    levels['holds up'],
    verdict.verdict,
  ];
}

export function templatePage(templates: readonly RuleTemplate[], measured: TemplateMeasurement): Promise<string> {
  const { measuredOn, series, verdicts } = measured;
  const verdictOf = (id: string): TemplateVerdict => {
    const match = verdicts.find((one) => one.id === id);
    if (match === undefined) throw new Error(`${id} was not measured: node .ci/measureTemplates.ts`);
    return match;
  };
  const count = (test: (one: TemplateVerdict) => boolean): number => verdicts.filter(test).length;
  const seriesRows = series.map((one) => [one.name, one.candles, one.from, one.until, `\`${one.hash}\``]);
  const sections = templates.map(
    ({ id, title, source, interval, about, text }) =>
      `### ${id}\n\n${title}. ${about}\n\nSource: ${source}. Candles: ${interval}.\n\n\`\`\`\n${text}\n\`\`\``,
  );
  return formatMarkdown(`# Rule templates

Published strategies in the language of [own rules](rules.md). Entries and exits are filled at the open after the close that decides. Where a source names no stop, it is 8 % away, without a target 50 %: rarely reached. Ranges in brackets are those of the source or spread around its value.

Parts of a source that the language cannot say are left out, and the line of the template says so: added units, orders inside a candle, indicators that feed on their own last value (Parabolic SAR).

## Measured

Of ${templates.length} templates, ${count(({ netPct }) => netPct !== null && netPct > 0)} have a positive median result after costs, ${count(({ verdict }) => verdict === 'holds up')} hold up. None is left out.

${table(['series', 'candles', 'from', 'until', 'SHA-256'], seriesRows)}

Measured on ${measuredOn} by \`node .ci/measureTemplates.ts <folder>\`. Origin: test data of nautechsystems/nautilus_trader (\`btc-perp-20211231-20220201_1m.csv\`, and the same bars joined to 15 minutes and an hour) and freqtrade/freqtrade (\`tests/testdata/futures\`).

- Four series of two markets in four weeks: they overlap and say little about other times. A template runs on the candles of each series, whatever its own interval: a period of 200 counts candles.
- Costs: those of a new run in the lab (Binance taker fee, slippage, market impact). Funding: the history of XRP, from 18 November on; 0.01 % in eight hours for BTC, whose history is not in the data.
- Net: median over the series, in % of the starting equity, with 1 % risk per trade. A wide stop makes a small position, so compare templates by the Sharpe ratio: that of a candle, scaled to a day.
- Verdict: the honesty panel ([honesty.md](honesty.md)) of each run, counted as one of ${templates.length} tried on the same candles; the level of most series, the more cautious one of equal counts. To hold up it needs candles that nothing was chosen on. These runs have none, so "unclear" is the best they can get.

${table(
  ['template', 'series', 'net %', 'gains', 'trades', 'Sharpe', 'luck', 'unclear', 'too few', 'holds up', 'verdict'],
  templates.map((one) => verdictRow(one, verdictOf(one.id))),
)}

## Texts

${sections.join('\n\n')}
`);
}
