import { describe, expect, it } from 'vitest';
import { createStories } from '../../../src/features/news/understand/cluster.ts';
import { judgeText, keywordTable } from '../../../src/features/news/understand/keywords.ts';
import { createTagger } from '../../../src/features/news/understand/symbols.ts';
import { analyse, impactOf } from '../../../src/features/news/readNews.ts';
import { makeLabelledItems } from './labelledItems.ts';

const universe = [
  'BTC',
  'ETH',
  'SOL',
  'BCH',
  'LINK',
  'NEAR',
  'OP',
  'ONE',
  'ETC',
  '1000PEPE',
  'SUI',
  'GAS',
  'ADA',
  'XRP',
  'AI',
].map((base) => ({ base, symbol: `${base}USDT` }));
const tag = createTagger(universe);

describe('the tags of a text', () => {
  it.each([
    ['Bitcoin climbs', ['BTCUSDT']],
    ['ETH and BTC slide', ['ETHUSDT', 'BTCUSDT']],
    ['Bitcoin Cash halves', ['BCHUSDT']],
    ['Buy $link now', ['LINKUSDT']],
    ['Near Protocol ships', ['NEARUSDT']],
    ['Solana (SOL) and Sui Network', ['SOLUSDT', 'SUIUSDT']],
    ['ONEUSDT is halted', ['ONEUSDT']],
    ['OP/USDT wicks', ['OPUSDT']],
    ['Pepecoin and $PEPE', ['1000PEPEUSDT']],
  ])('%s', (text, symbols) => expect(tag(text)).toEqual(symbols));

  it.each([
    'The price is NEAR a record',
    'A LINK to the report',
    'One more thing: GAS fees, AI and ETC.',
    'NO ONE AT THE FED SAYS SOL IS MONEY, XRP ADA',
    'bitcoiners and ethereal thoughts',
    'See solution.SOL@example.com',
    'Adam and adaptation',
  ])('are none for: %s', (text) => expect(tag(text)).toEqual([]));

  it('of a symbol that is not traded are none', () => expect(tag('Monero (XMR) rises')).toEqual([]));
});

describe('NEWS-014 the keyword table', () => {
  it.each([
    ['Bitcoin surges to a record high', 4, true],
    ['Exchange hacked, funds stolen', -4, true],
    ['Solana rises', 1, false],
    ['ETH slipped after the open', -1, false],
    ['Developers meet in Lisbon', 0, false],
    ['Exchange was not hacked, CEO says', 0, false],
    ['Funding of $SOL turns negative', 0, false],
    ['Solana funding turns negative at 0.01%', -1, false],
  ])('judges "%s"', (text, sentiment, isHighImpact) =>
    expect(judgeText(text)).toMatchObject({ sentiment, isHighImpact }),
  );

  it('has each phrase once', () => {
    const phrases = keywordTable.map(({ phrase }) => phrase);
    expect(new Set(phrases).size).toBe(phrases.length);
  });
});

describe('NEWS-013 the analysis', () => {
  it.each([
    [0, 'low'],
    [1, 'medium'],
    [3, 'medium'],
    [4, 'high'],
  ])('of %i high-impact stories is %s', (count, impact) => expect(impactOf(count)).toBe(impact));

  it('counts sentiments, keywords and symbols', () => {
    const story = (sentiment: 'bullish' | 'bearish', keywords: string[], symbols: string[]) => ({
      sentiment,
      keywords,
      symbols,
      is_high_impact: true,
    });
    const found = analyse([
      story('bullish', ['surge'], ['BTCUSDT']),
      story('bearish', ['hack'], ['BTCUSDT', 'ETHUSDT']),
    ]);
    expect(found).toMatchObject({ count: 2, bullish: 1, bearish: 1, neutral: 0, high_impact: 2, impact: 'medium' });
    expect(found.symbols[0]).toEqual({ symbol: 'BTCUSDT', count: 2, direction: 'neutral' });
    expect(found.keywords).toContainEqual({ phrase: 'hack', count: 1, direction: 'bearish' });
  });
});

describe('near-duplicates', () => {
  it('are found with precision and recall of at least 0.95 on 1,000 labelled items', () => {
    const items = makeLabelledItems();
    expect(items).toHaveLength(1000);
    const stories = createStories<number>();
    const assigned = items.map((item, i) => {
      const compared = { title: item.title, symbols: item.symbols, firstSeenMs: item.atMinute * 60_000 };
      const key = stories.find(compared) ?? i;
      stories.add(key, compared);
      return key;
    });
    let [both, found, labelled] = [0, 0, 0];
    const wrong: string[] = [];
    items.forEach((a, i) => {
      for (let j = i + 1; j < items.length; j++) {
        const b = items[j]!;
        const [isFound, isLabelled] = [assigned[i] === assigned[j], a.event === b.event];
        if (isFound) found++;
        if (isLabelled) labelled++;
        if (isFound && isLabelled) both++;
        if (isFound !== isLabelled && wrong.length < 12)
          wrong.push(`${isFound ? 'joined' : 'parted'}: ${a.title} // ${b.title}`);
      }
    });
    const [precision, recall] = [both / found, both / labelled];
    expect(precision, wrong.join('\n')).toBeGreaterThanOrEqual(0.95);
    expect(recall, wrong.join('\n')).toBeGreaterThanOrEqual(0.95);
  });

  const story = (title: string, firstSeenMs = 0, symbols: string[] = []) => ({ title, symbols, firstSeenMs });
  it.each([
    ['opposite directions', 'Bitcoin jumps after the vote', 'Bitcoin falls after the vote'],
    ['other figures', 'Bitcoin jumps 3% after the vote', 'Bitcoin jumps 8% after the vote'],
  ])('keeps apart %s', (_what, first, second) => {
    const stories = createStories<string>();
    stories.add('a', story(first));
    expect(stories.find(story(second))).toBeUndefined();
  });

  it('keeps apart other symbols, and reports of another day', () => {
    const stories = createStories<string>();
    stories.add('a', story('Exchange lists a new perpetual contract today', 0, ['SOLUSDT']));
    expect(stories.find(story('Exchange lists a new perpetual contract today', 0, ['SUIUSDT']))).toBeUndefined();
    expect(
      stories.find(story('Exchange lists a new perpetual contract today', 37 * 3_600_000, ['SOLUSDT'])),
    ).toBeUndefined();
    expect(stories.find(story('Exchange lists a new perpetual contract today', 35 * 3_600_000, ['SOLUSDT']))).toBe('a');
  });
});
