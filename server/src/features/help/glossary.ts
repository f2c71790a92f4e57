import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { honestyRegistry } from '@sextant/engine-as/abi/honesty.ts';
import { type MetricEntry, metricRegistry } from '@sextant/engine-as/abi/metrics.ts';
import { defaultParameters, registry, voteRegistry } from '@sextant/engine-as/abi/registry.ts';
import type { IndicatorEntry, VoteFamily } from '@sextant/engine-as/abi/registryTypes.ts';
import { apiErrors } from '../../platform/errors.ts';
import type { Draft } from './articles.ts';

const CREATED = '2026-11-23';

interface Entry {
  topic: string;
  heading: string;
  lines: (string | undefined)[];
}

const bullet = (name: string, text: string | undefined): string | undefined =>
  text === undefined ? undefined : `- **${name}:** ${text}`;

interface Page {
  slug: string;
  title: string;
  question: string;
  tags: string[];
  intro: string;
  entries: readonly Entry[];
  place: number;
  category?: string;
}

function draftOf({ slug, title, question, tags, intro, entries, place, category = 'figures' }: Page): Draft {
  const body = entries.map(({ heading, lines }) => {
    const shown = lines.filter((line) => line !== undefined);
    const prose = shown.filter((line) => !line.startsWith('- '));
    const list = shown.filter((line) => line.startsWith('- '));
    return [`## ${heading}`, ...prose, list.join('\n')].filter((part) => part !== '').join('\n\n');
  });
  return {
    slug,
    category,
    title,
    question,
    tags,
    related: [],
    isFeatured: false,
    place,
    createdOn: CREATED,
    contentMd: [intro, ...body].join('\n\n'),
    topics: [],
    topicOfHeading: Object.fromEntries(entries.map(({ heading, topic }) => [heading, topic])),
  };
}

const metricEntry = ({ id, name, meaning, formula, example, unit, notEnoughData }: MetricEntry): Entry => ({
  topic: id,
  heading: name,
  lines: [
    meaning,
    bullet('Unit', unit),
    bullet('Formula', formula === undefined ? undefined : `\`${formula}\``),
    bullet('Worked number', example),
    bullet('Not shown when', notEnoughData),
  ],
});

const metrics: readonly MetricEntry[] = metricRegistry;
const groupOf = (group: MetricEntry['group'] | 'main'): Entry[] =>
  metrics.filter((entry) => (entry.group ?? 'main') === group).map(metricEntry);

/** The figures of a result, grouped as on the screens. */
const metricPages = (): Page[] => [
  {
    slug: 'glossary-result-figures',
    title: 'Glossary: main figures of a backtest',
    question: 'What do net PnL, win rate, drawdown, profit factor and Sharpe ratio mean?',
    tags: ['glossary', 'metrics', 'definition', 'formula'],
    intro:
      'Every main figure of a backtest result is defined here with its unit, its formula and, where one fits in a line, a worked number you can check by head.',
    entries: groupOf('main'),
    place: 10,
  },
  {
    slug: 'glossary-return-figures',
    title: 'Glossary: return figures',
    question: 'What do CAGR, alpha, beta and the best day of a backtest mean?',
    tags: ['glossary', 'metrics', 'return', 'annual'],
    intro: 'Return figures: what a run earned over time and against its market.',
    entries: groupOf('return'),
    place: 11,
  },
  {
    slug: 'glossary-risk-figures',
    title: 'Glossary: risk figures',
    question: 'What do Calmar, Omega, SQN and time under water mean?',
    tags: ['glossary', 'metrics', 'risk', 'drawdown'],
    intro: 'Risk figures: what the equity went through on the way.',
    entries: groupOf('risk'),
    place: 12,
  },
  {
    slug: 'glossary-trade-figures',
    title: 'Glossary: trade figures',
    question: 'What do average win, payoff ratio and wins in a row mean?',
    tags: ['glossary', 'metrics', 'trades', 'win', 'loss'],
    intro: 'Trade figures: how often single trades win, how much and for how long.',
    entries: groupOf('trades'),
    place: 13,
  },
];

const honestyPage = (): Page => ({
  slug: 'glossary-honesty-figures',
  title: 'Glossary: figures of the honesty panel',
  question: 'What does each figure of the honesty panel mean?',
  tags: ['glossary', 'honesty', 'luck', 'overfitting', 'definition'],
  intro:
    'Every figure of the honesty panel is defined here with its formula, its source and the rule by which it is withheld.',
  entries: honestyRegistry.map(({ id, name, definition, formula, source, unit, notEnoughData }) => ({
    topic: `honesty.${id}`,
    heading: name,
    lines: [
      definition,
      bullet('Unit', unit),
      bullet('Formula', `\`${formula}\``),
      bullet('Not shown when', notEnoughData),
      bullet('Source', source),
    ],
  })),
  place: 14,
});

const indicators: readonly IndicatorEntry[] = registry;

const indicatorPage = (): Page => ({
  slug: 'glossary-indicators',
  title: 'Glossary: indicators',
  question: 'How does Sextant compute RSI, MACD, ATR and the other indicators?',
  tags: ['glossary', 'indicator', 'formula', 'definition'],
  intro:
    'Every indicator is computed by one engine in the browser, on the server and in the API; each has its formula, its defaults and a worked number here.',
  entries: indicators
    .filter(({ alias }) => alias === undefined)
    .map(({ id, title, definition, parameters, formula, example, neutral, source }) => ({
      topic: `indicator.${id}`,
      heading: title,
      lines: [
        definition,
        bullet('Name in the API', `\`${id}\``),
        bullet(
          'Defaults',
          parameters.length === 0
            ? 'no parameters'
            : parameters.map((each) => `${each.title} ${each.default}`).join(', '),
        ),
        bullet('Formula', `\`${formula.replaceAll('`', '')}\``),
        bullet('Worked number', example),
        bullet('Without movement or volume', neutral),
        bullet('Source', source),
      ],
    })),
  place: 15,
});

const familyTexts: Record<VoteFamily, string> = {
  trend: 'follows a move',
  reversal: 'bets on a turn',
  volume: 'reads traded volume',
  level: 'reads price levels',
};

const votePage = (): Page => ({
  slug: 'glossary-votes',
  title: 'Glossary: votes of the ensemble',
  question: 'When does each indicator vote long or short?',
  tags: ['glossary', 'vote', 'ensemble', 'weights', 'signal'],
  intro:
    'A vote is an indicator’s opinion on a closed candle: long, short or none; the score of a signal is the weighted mean of all votes.',
  entries: voteRegistry.map((vote) => {
    const { id, title, family, parameters } = vote;
    const defaults = defaultParameters(vote);
    const { long, short, neutral } = vote.rule(defaults);
    const settings = parameters.map((each) => `${each.title} ${each.default} (${each.min} to ${each.max})`);
    return {
      topic: `vote.${id}`,
      heading: title,
      lines: [
        `A ${family} vote: it ${familyTexts[family]}.`,
        bullet('Votes long on', long),
        bullet('Votes short on', short),
        bullet('No opinion', neutral),
        bullet('First candle that can vote', String(vote.warmup(defaults) + 1)),
        settings.length === 0 ? undefined : bullet('Parameters your rules can change', settings.join(', ')),
      ],
    };
  }),
  place: 16,
});

/** Advice for each error, from the table of docs/errors.md; a test compares it with the catalogue. */
async function errorAdvice(): Promise<Map<string, string>> {
  const text = await readFile(join(import.meta.dirname, '../../../../docs/errors.md'), 'utf8');
  return new Map(
    [...text.matchAll(/^\| `(\w+)` *\|[^|]*\|[^|]*\| (.*?) *\|$/gm)].map(([, code = '', what = '']) => [
      code,
      // Removes the comments that name the source of a figure.
      what.replaceAll(/<!--.*?-->/g, ''),
    ]),
  );
}

async function errorPage(): Promise<Page> {
  const advice = await errorAdvice();
  return {
    slug: 'error-codes',
    title: 'Error codes and what to do',
    question: 'What does this error code mean and what do I do about it?',
    tags: ['error', 'code', 'problem', 'status', 'failed', 'refused'],
    intro: 'Every error of Sextant has a stable code. This page gives the meaning and the fix for each.',
    entries: Object.entries(apiErrors).map(([code, { status, title }]) => ({
      topic: `error.${code}`,
      heading: code,
      lines: [title, bullet('What to do', advice.get(code)), bullet('HTTP status', String(status))],
    })),
    place: 10,
    category: 'troubleshooting',
  };
}

/** Articles generated from the registries, so that they match the engine. */
export async function glossary(): Promise<Draft[]> {
  return [...metricPages(), honestyPage(), indicatorPage(), votePage(), await errorPage()].map(draftOf);
}
