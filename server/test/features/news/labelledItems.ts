/**
 * 1,000 headlines with the event each reports, written for this project. An event is reported by one to six outlets, each in different
 * words; look-alikes (same words about another coin, another figure, the other direction, another company) are separate events.
 */
export interface LabelledItem {
  event: number;
  title: string;
  symbols: string[];
  /** Minutes after the first. */
  atMinute: number;
}

/** Mulberry32. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const coins = [
  ['Bitcoin', 'BTC'],
  ['Ethereum', 'ETH'],
  ['Solana', 'SOL'],
  ['Cardano', 'ADA'],
  ['Dogecoin', 'DOGE'],
  ['Avalanche', 'AVAX'],
  ['Chainlink', 'LINK'],
  ['Polkadot', 'DOT'],
] as const;
const firms = [
  'Northbridge',
  'Kestrel Capital',
  'Halden',
  'Oakmont',
  'Verity',
  'Brightline',
  'Tessera',
  'Corvane',
  'Lumen Labs',
  'Arcway',
];
const venues = ['Kraken', 'Coinbase', 'Upbit', 'Bitstamp', 'Gemini', 'Robinhood'];
const protocols = [
  'Meridian Finance',
  'Starpool',
  'Harbor Bridge',
  'Quill Swap',
  'Nimbus Lend',
  'Vaultic',
  'Orchard DEX',
  'Pylon',
];
const places = ['Brazil', 'Japan', 'Kenya', 'Norway', 'Turkey', 'Canada', 'India', 'Chile'];
const outlets = ['CoinDesk', 'The Block', 'Decrypt', 'Cointelegraph', 'CryptoSlate', 'U.Today'];

interface Event {
  symbols: string[];
  titles: string[];
}
type Maker = (random: () => number, serial: number) => Event;
export const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)] as T;

const makers: Maker[] = [
  (random) => {
    const [name, ticker] = pick(coins, random);
    const pct = (2 + random() * 18).toFixed(1);
    const isUp = random() < 0.5;
    const [a, b, c] = isUp ? ['surges', 'jumps', 'rallies'] : ['plunges', 'drops', 'tumbles'];
    const why = pick(
      [
        'as traders react to rate decision',
        'amid heavy liquidations',
        'after options expiry',
        'on thin weekend volume',
      ],
      random,
    );
    return {
      symbols: [`${ticker}USDT`],
      titles: [
        `${name} ${a} ${pct}% ${why}`,
        `${ticker} price ${b} ${pct}% ${why}`,
        `${name} (${ticker}) ${c} ${pct}% ${why}`,
        `Breaking: ${name} ${b} ${pct}% ${why}`,
      ],
    };
  },
  (random, serial) => {
    const protocol = `${pick(protocols, random)} ${serial % 7 === 0 ? 'V2' : ''}`.trim();
    const millions = Math.round(3 + random() * 300);
    return {
      symbols: [],
      titles: [
        `${protocol} hacked for $${millions} million`,
        `${protocol} exploited, $${millions}M stolen`,
        `Hackers drain $${millions} million from ${protocol}`,
        `${protocol} loses $${millions}M in exploit`,
      ],
    };
  },
  (random) => {
    const [name, ticker] = pick(coins, random);
    const firm = pick(firms, random);
    const amount = Math.round(50 + random() * 900);
    return {
      symbols: [`${ticker}USDT`],
      titles: [
        `${firm} buys $${amount} million of ${name} for treasury`,
        `${firm} acquires $${amount}M in ${name} for its treasury`,
        `${name} treasury: ${firm} purchases $${amount} million`,
        `${firm} adds $${amount}M of ${name} to treasury`,
      ],
    };
  },
  (random) => {
    const [name, ticker] = pick(coins, random);
    const venue = pick(venues, random);
    const product = pick(['perpetual futures', 'staking', 'options', 'spot margin trading'], random);
    return {
      symbols: [`${ticker}USDT`],
      titles: [
        `${venue} launches ${name} ${product}`,
        `${venue} unveils ${product} for ${name} (${ticker})`,
        `${name} ${product} debuts on ${venue}`,
      ],
    };
  },
  (random) => {
    const place = pick(places, random);
    const subject = pick(
      [
        'stablecoin licensing bill',
        'crypto tax reform',
        'bitcoin reserve proposal',
        'exchange registration rules',
        'mining moratorium',
      ],
      random,
    );
    const act = pick(['approves', 'rejects', 'delays'], random);
    return {
      symbols: [],
      titles: [
        `${place} ${act} ${subject}`,
        `${place}'s parliament ${act} ${subject}`,
        `Lawmakers in ${place}: parliament ${act} ${subject}`,
      ],
    };
  },
  (random) => {
    const [name, ticker] = pick(coins, random);
    const millions = Math.round(20 + random() * 900);
    const isIn = random() < 0.5;
    const day = pick(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'], random);
    return {
      symbols: [`${ticker}USDT`],
      titles: [
        `Spot ${name} ETFs see $${millions} million ${isIn ? 'inflows' : 'outflows'} on ${day}`,
        `${name} ETFs record $${millions}M in ${isIn ? 'inflows' : 'outflows'} ${day}`,
        `$${millions} million ${isIn ? 'inflow' : 'outflow'} for spot ${name} ETFs on ${day}`,
      ],
    };
  },
  (random) => {
    const firm = pick(firms, random);
    const millions = Math.round(5 + random() * 200);
    const series = pick(['Series A', 'Series B', 'seed round', 'Series C'], random);
    return {
      symbols: [],
      titles: [
        `${firm} raises $${millions} million in ${series}`,
        `Crypto startup ${firm} raises $${millions}M ${series}`,
        `${firm} closes $${millions} million ${series}, raises valuation`,
      ],
    };
  },
  (random) => {
    const [name, ticker] = pick(coins, random);
    const version = `${1 + Math.floor(random() * 9)}.${Math.floor(random() * 30)}`;
    return {
      symbols: [`${ticker}USDT`],
      titles: [
        `${name} developers release client ${version} ahead of upgrade`,
        `${name} client ${version} released by developers before upgrade`,
        `Developers release ${name} client ${version}`,
      ],
    };
  },
];

/** A headline in the style of an outlet: with its name, a suffix or a prefix. */
function dressed(title: string, random: () => number): string {
  const draw = random();
  if (draw < 0.15) return `${title} - ${pick(outlets, random)}`.replace(' - ', ' – ');
  if (draw < 0.25) return `${title} | ${pick(outlets, random)}`;
  if (draw < 0.32) return `${title}: report`;
  if (draw < 0.38) return `JUST IN: ${title}`;
  return title;
}

export function makeLabelledItems(count = 1000): LabelledItem[] {
  const random = randomOf(20_261_123);
  const items: LabelledItem[] = [];
  const seen = new Set<string>();
  for (let event = 0; items.length < count; event++) {
    const made = pick(makers, random)(random, event);
    // The same facts drawn twice would be one event with two labels.
    const facts = [...new Set(made.titles)].join();
    if (seen.has(facts)) continue;
    seen.add(facts);
    const reportCount = 1 + Math.floor(random() * Math.min(6, made.titles.length + 1));
    const atMinute = Math.floor(random() * 24 * 60);
    for (let k = 0; k < reportCount && items.length < count; k++)
      items.push({
        event,
        title: dressed(made.titles[k % made.titles.length] as string, random),
        // Not every text names the coin in a way that can be tagged.
        symbols: random() < 0.9 ? made.symbols : [],
        atMinute: atMinute + Math.floor(random() * 180),
      });
  }
  return items.sort((a, b) => a.atMinute - b.atMinute);
}
