import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { honestyRegistry } from '@sextant/engine-as/abi/honesty.ts';
import { metricRegistry } from '@sextant/engine-as/abi/metrics.ts';
import { registry, voteRegistry } from '@sextant/engine-as/abi/registry.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { candlesOf } from '../../../../engine-as/test/candles.ts';
import { indicator, loadEngine } from '../../../../engine-as/test/support.ts';
import { type Article, type Help, helpFolder, readHelp } from '../../../src/features/help/articles.ts';
import { facts } from '../../../src/features/help/facts.ts';
import { PreferencesRequest } from '../../../src/features/preferences/contract.ts';
import { apiErrors } from '../../../src/platform/errors.ts';

let help: Help;
let engine: Engine;
beforeAll(async () => {
  [help, engine] = await Promise.all([readHelp(), loadEngine()]);
});
const bySlug = (slug: string): Article => help.articles.find((each) => each.slug === slug) as Article;

describe('the articles', () => {
  it('are at least forty, each with a question, an answer at its head, tags and a section of the centre', () => {
    expect(help.articles.length).toBeGreaterThanOrEqual(40);
    for (const { slug, question, tags, sections, category } of help.articles) {
      expect(question, slug).toMatch(/\?$/);
      expect(sections[0]?.text.length, slug).toBeGreaterThan(40);
      expect(tags.length, slug).toBeGreaterThanOrEqual(3);
      expect(
        help.categories.map((each) => each.slug),
        slug,
      ).toContain(category);
    }
  });

  it('each have a unique question', () => {
    const questions = help.articles.map(({ question }) => question);
    expect(new Set(questions).size).toBe(questions.length);
  });

  it('hold no HTML, no picture and no link to another site', () => {
    for (const { slug, contentMd } of help.articles) {
      expect(contentMd.replaceAll(/`[^`]*`/g, ''), slug).not.toMatch(/<[a-z/!]/i);
      expect(contentMd, slug).not.toMatch(/!\[/);
      for (const [, target = ''] of contentMd.matchAll(/\]\(([^)]*)\)/g)) expect(target, slug).toMatch(/^\/help\//);
    }
  });

  it('take prices from their source: no file states one itself', async () => {
    expect(facts.scanPrice).toBe('1 credit');
    expect(bySlug('what-costs-credits').contentMd).toMatch(/\| Signal scan, AI checks included +\| 1 credit +\|/);
    for (const { slug, contentMd } of help.articles) expect(contentMd, slug).not.toContain('{{');
    for (const file of (await readdir(helpFolder)).filter((name) => name.endsWith('.md')))
      expect(await readFile(join(helpFolder, file), 'utf8'), file).not.toMatch(/\d+ credits?\b/);
  });
});

const formSettings = [
  ...['entryThreshold', 'stopLoss', 'takeProfit', 'trailing', 'callback', 'trailStep', 'activation', 'history'],
  ...['breakEvenR', 'holdingBarsMax'],
  ...['takerFeeFraction', 'makerFeeFraction', 'slippageFraction', 'stopSlippageFraction', 'maintenanceMarginFraction'],
  ...['fileRules'],
  ...[
    'initialEquity',
    'notional',
    'feesOf',
    'targetOrder',
    'funding',
    'assumedRate',
    'sameBar',
    'fineData',
    'orderSize',
  ],
  ...['samples', 'runOn', 'target', 'seed', 'trainOn', 'refine', 'walkForward', 'arbitrageForm'],
];

describe('what the product shows', () => {
  it('has an article for every figure, indicator, vote and error', () => {
    const needed = [
      ...metricRegistry.map(({ id }) => id),
      ...honestyRegistry.map(({ id }) => `honesty.${id}`),
      ...registry.flatMap(({ id, alias }) => (alias === undefined ? [`indicator.${id}`] : [])),
      ...voteRegistry.map(({ id }) => `vote.${id}`),
      ...Object.keys(apiErrors).map((code) => `error.${code}`),
    ];
    expect(needed.filter((id) => help.topics[id] === undefined)).toEqual([]);
  });

  it('has an article for every setting of the account', () => {
    const places = new Set(['active_tab', 'current_page', 'auto_open_noticed']);
    const settings = Object.keys(PreferencesRequest.shape).filter((name) => !places.has(name));
    expect(settings.filter((name) => help.topics[`setting.${name}`] === undefined)).toEqual([]);
  });

  it('is what articles claim to explain: every claim has a known subject', () => {
    const known = new Set<string>([
      ...metricRegistry.map(({ id }) => id),
      ...honestyRegistry.map(({ id }) => `honesty.${id}`),
      ...registry.map(({ id }) => `indicator.${id}`),
      ...voteRegistry.map(({ id }) => `vote.${id}`),
      ...Object.keys(apiErrors).map((code) => `error.${code}`),
      ...Object.keys(PreferencesRequest.shape).map((name) => `setting.${name}`),
      // Fields of the backtest forms and figures of its panels; the type checker and a test of the web keep the web in line with them.
      ...formSettings.map((id) => `setting.${id}`),
      ...['walkForwardEfficiency', 'monteCarlo', 'excursions', 'expectedShortfall'],
      // Reported by the page itself when there was no response.
      'error.unreachable',
    ]);
    expect(Object.keys(help.topics).filter((topic) => !known.has(topic))).toEqual([]);
  });

  it('is explained at an anchor that exists', () => {
    for (const target of Object.values(help.topics)) {
      const [slug = '', anchor = 'top'] = target.split('#');
      expect(
        bySlug(slug).sections.map((each) => each.anchor),
        target,
      ).toContain(anchor);
    }
  });
});

/** The text behind "Worked number" below a heading. */
function workedNumber(heading: string): string {
  const parts = help.articles.flatMap(({ slug, contentMd }) =>
    slug.startsWith('glossary') ? contentMd.split(/^## /m) : [],
  );
  const part = parts.find((each) => each.startsWith(`${heading}\n`)) ?? '';
  return /\*\*Worked number:\*\* (.*)/.exec(part)?.[1] ?? '';
}
const numbersOf = (text: string): number[] =>
  (text.replaceAll(',', '').match(/(?<![\w.])\d+(?:\.\d+)?/g) ?? []).map(Number);

/** Share of Student's t distribution above `t`, by Simpson's rule on its density in the angle of t / sqrt(n). */
function upperTail(t: number, degrees: number): number {
  const steps = 1000;
  const integral = (from: number, to: number): number => {
    const height = (to - from) / steps;
    let sum = 0;
    for (let i = 0; i <= steps; i++) {
      const weight = i === 0 || i === steps ? 1 : i % 2 === 0 ? 2 : 4;
      sum += weight * Math.cos(from + i * height) ** (degrees - 1);
    }
    return (sum * height) / 3;
  };
  const angle = Math.atan(t / Math.sqrt(degrees));
  return integral(angle, Math.PI / 2) / integral(-Math.PI / 2, Math.PI / 2);
}

describe('the worked examples of the glossary', () => {
  it.each<[string, (n: number[]) => string]>([
    ['Net PnL', ([gross = 0, fees = 0, funding = 0]) => `+${(gross - fees - funding).toFixed(2)}.`],
    ['Win rate', ([won = 0, all = 1]) => `: ${(won / all) * 100} %.`],
    ['Max drawdown', ([peak = 0, low = 0]) => `: ${((peak - low) / peak) * 100} %.`],
    ['Sharpe ratio', ([mean = 0, deviation = 1]) => `: ${((mean / deviation) * Math.sqrt(365)).toFixed(2)}.`],
    ['Profit factor', ([wins = 0, losses = 1]) => `: ${(wins / losses).toFixed(2)}.`],
    [
      'Annual return (CAGR)',
      ([from = 1, to = 1, days = 1]) => `${(((to / from) ** (365 / days) - 1) * 100).toFixed(2)} %.`,
    ],
    ['Alpha', ([mean = 0, beta = 0, market = 0]) => `${((mean - beta * market) * 365).toFixed(2)} %.`],
    ['Quality (SQN)', ([trades = 1, mean = 0, deviation = 1]) => `= ${(mean / deviation) * Math.sqrt(trades)}.`],
    ['Kelly share', ([rate = 0, payoff = 1]) => `= ${rate - (100 - rate) / payoff} %.`],
    [
      'Calmar ratio',
      ([gain = 0, days = 1, fall = 1]) => `= ${Math.round(((gain / 100) * (365 / days)) / (fall / 100))}.`,
    ],
    ['Omega ratio', ([one = 0, lost = 1, other = 0]) => `= ${(one + other) / lost}.`],
    ['p-value of the mean', ([count = 2, sqn = 0]) => `: ${(100 * upperTail(sqn, count - 1)).toFixed(1)} %.`],
    [
      'Expectancy ratio',
      ([rate = 0, win = 0, loss = 1]) => `= ${((rate * win - (100 - rate) * loss) / 100 / loss).toFixed(2)}.`,
    ],
    ['Payoff ratio', ([win = 0, loss = 1]) => `: ${(win / loss).toFixed(2)}.`],
  ])('%s matches its example', (heading, recompute) => {
    const text = workedNumber(heading);
    expect(text).toContain(recompute(numbersOf(text)));
  });

  it.each<[string, string, Record<string, number>, string]>([
    ['Simple moving average', 'sma', { period: 2 }, 'sma'],
    ['Exponential moving average', 'ema', { period: 2 }, 'ema'],
    ['Relative strength index', 'rsi', { period: 2 }, 'rsi'],
  ])('%s computed by the engine matches its example', (heading, id, params, output) => {
    const text = workedNumber(heading);
    const closes = numbersOf(text.split(' with ')[0] ?? '');
    const values = indicator(engine, id, candlesOf(closes), params)[output] ?? [];
    const last = values.at(-1) ?? Number.NaN;
    const shown = [1, 2, 4].map((decimals) => String(Number(last.toFixed(decimals))));
    expect(
      shown.some((each) => text.replace(/\.$/, '').endsWith(each)),
      `${text} against ${String(last)}`,
    ).toBe(true);
  });
});

describe('a file of articles with a mistake', () => {
  const good = 'title: A\nquestion: What?\nsection: trading\ntags: a, b, c\ncreated: 2026-01-01';
  it.each([
    ['no front matter', 'Text only.', 'front matter'],
    ['a missing field', '---\ntitle: A\n---\nText.', '"section" is missing'],
    ['a figure without owner', `---\n${good}\n---\nIt costs {{unknownPrice}}.`, 'no owner'],
    ['two equal headings', `---\n${good}\n---\nText.\n\n## One\n\na\n\n## One\n\nb`, 'two headings'],
    ['a link that leads nowhere', `---\n${good}\n---\nSee [x](/help/nothing).`, 'leads nowhere'],
    ['an unknown section', `---\n${good.replace('trading', 'cooking')}\n---\nText.`, 'no section cooking'],
    ['a related article that is gone', `---\n${good}\nrelated: nothing\n---\nText.`, 'does not exist'],
  ])('is rejected for %s, by name', async (_what, source, message) => {
    const folder = await mkdtemp(join(tmpdir(), 'help-'));
    await writeFile(join(folder, 'a.md'), source);
    await expect(readHelp(folder)).rejects.toThrow(message);
    await rm(folder, { recursive: true });
  });
});
