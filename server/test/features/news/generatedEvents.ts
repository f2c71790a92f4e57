import { pick, randomOf } from './labelledItems.ts';

/**
 * Events with facts drawn from a seed, so that the truth is known by construction. Each event has a look-alike: the same words with one
 * fact changed (coin, figure, direction, company, hour). The wordings of each kind are in two halves: the rules may be made with
 * `development`, `heldOut` only measures.
 */
export type Half = 'development' | 'heldOut';

export interface GeneratedItem {
  event: number;
  title: string;
  /** Minutes after the first event of its family. */
  atMinute: number;
}

interface Facts {
  name: string;
  ticker: string;
  firm: string;
  protocol: string;
  venue: string;
  place: string;
  /** Figures in millions, percent and dollars, and as a count. */
  millions: number;
  percent: string;
  price: string;
  count: number;
  isUp: boolean;
  hour: number;
}

interface Kind {
  name: string;
  development: ((facts: Facts) => string)[];
  heldOut: ((facts: Facts) => string)[];
  /** What makes another event of it. */
  changes: (keyof Facts)[];
}

const coins = [
  ['Bitcoin', 'BTC', 92_000],
  ['Ethereum', 'ETH', 3200],
  ['Solana', 'SOL', 145],
  ['Cardano', 'ADA', 0.52],
  ['Dogecoin', 'DOGE', 0.18],
  ['Avalanche', 'AVAX', 24],
  ['Chainlink', 'LINK', 16],
  ['Litecoin', 'LTC', 98],
  ['Aptos', 'APT', 4.8],
  ['Monero', 'XMR', 330],
] as const;
const firms = ['Norvane', 'Kestrel Capital', 'Halden', 'Oakmont', 'Brightline', 'Tessera', 'Corvane', 'Arcway'];
const protocols = [
  'Meridian Finance',
  'Starpool',
  'Harborswap',
  'Nimbus Lend',
  'Vaultic',
  'Pylon',
  'Orchard',
  'Quillo',
];
const venues = ['Kraken', 'Coinbase', 'Upbit', 'Bitstamp', 'Gemini', 'Bybit', 'OKX'];
const places = ['Brazil', 'Japan', 'Kenya', 'Norway', 'Turkey', 'Canada', 'India', 'Chile', 'Poland', 'Peru'];

const dollars = ({ price }: Facts): string => `$${price}`;
const rises = ({ isUp }: Facts, up: string, down: string): string => (isUp ? up : down);

/** Wordings as wires have them: who and what first, figure first, ticker or name, with and without the reason. */
export const kinds: readonly Kind[] = [
  {
    name: 'move of a quarter of an hour',
    changes: ['percent', 'price', 'name', 'isUp'],
    development: [
      (f) => `${f.name} ${rises(f, 'jumps', 'drops')} ${f.percent}% in 15 minutes to ${dollars(f)}`,
      (f) => `$${f.ticker} ${rises(f, 'up', 'down')} ${f.percent}% within 15 minutes, now ${dollars(f)}`,
      (f) => `${f.ticker} price ${rises(f, 'spikes', 'dumps')} ${f.percent}% in a quarter of an hour to ${dollars(f)}`,
    ],
    heldOut: [
      (f) =>
        `${f.name} moves ${rises(f, 'higher', 'lower')} by ${f.percent}% over 15 minutes, trading at ${dollars(f)}`,
      (f) => `Alert: ${f.ticker} ${rises(f, 'gained', 'lost')} ${f.percent}% in the past 15 min, last ${dollars(f)}`,
      (f) => `${f.name} (${f.ticker}) ${rises(f, 'rallies', 'tumbles')} to ${dollars(f)}, ${f.percent}% in 15 minutes`,
    ],
  },
  {
    name: 'level of a price',
    changes: ['price', 'name', 'hour'],
    development: [
      (f) => `${f.name} ${rises(f, 'climbs above', 'falls below')} ${dollars(f)}`,
      (f) =>
        `${f.ticker} ${rises(f, 'tops', 'slips under')} ${dollars(f)} as ${rises(f, 'buyers return', 'sellers press on')}`,
      (f) => `${f.name} price ${rises(f, 'breaks past', 'sinks beneath')} ${dollars(f)} mark`,
    ],
    heldOut: [
      (f) =>
        `${f.name} ${rises(f, 'clears', 'loses')} ${dollars(f)} ${rises(f, 'in broad rally', 'in broad sell-off')}`,
      (f) => `${f.ticker} ${rises(f, 'pushes over', 'cracks below')} ${dollars(f)}`,
      (f) =>
        `${f.name} trades ${rises(f, 'above', 'below')} ${dollars(f)} as market ${rises(f, 'rebounds', 'retreats')}`,
    ],
  },
  {
    name: 'flows of funds',
    changes: ['millions', 'name', 'isUp'],
    development: [
      (f) => `Spot ${f.name} ETFs see $${f.millions} million in ${rises(f, 'inflows', 'outflows')}`,
      (f) => `${f.ticker} ETFs ${rises(f, 'attract', 'lose')} $${f.millions}M in a day`,
      (f) => `${f.name} funds ${rises(f, 'pull in', 'bleed')} $${f.millions} million`,
    ],
    heldOut: [
      (f) => `US ${f.name} ETFs ${rises(f, 'take in', 'shed')} $${f.millions}M`,
      (f) => `$${f.millions} million ${rises(f, 'enters', 'leaves')} spot ${f.name} ETFs`,
      (f) => `${f.name} ETFs log net ${rises(f, 'inflow', 'outflow')} of $${f.millions}M`,
    ],
  },
  {
    name: 'hack',
    changes: ['protocol', 'millions'],
    development: [
      (f) => `${f.protocol} hacked for $${f.millions} million`,
      (f) => `Attackers drain $${f.millions}M from DeFi protocol ${f.protocol}`,
      (f) => `${f.protocol} halts contracts after $${f.millions}M exploit`,
    ],
    heldOut: [
      (f) => `${f.protocol} loses $${f.millions}M in smart contract attack`,
      (f) => `$${f.millions} million stolen from ${f.protocol}, PeckShield says`,
      (f) => `Exploiter takes $${f.millions} million out of ${f.protocol} pools`,
    ],
  },
  {
    name: 'listing',
    changes: ['venue', 'name'],
    development: [
      (f) => `${f.venue} to list ${f.name} (${f.ticker})`,
      (f) => `${f.venue} adds ${f.ticker} trading`,
      (f) => `${f.name} gets listed on ${f.venue}`,
    ],
    heldOut: [
      (f) => `${f.venue} opens trading of ${f.name}`,
      (f) => `${f.ticker} listing announced by ${f.venue}`,
      (f) => `${f.venue} will support ${f.name} (${f.ticker})`,
    ],
  },
  {
    name: 'liquidations of an hour',
    changes: ['millions', 'isUp'],
    development: [
      (f) => `$${f.millions} million in crypto ${rises(f, 'shorts', 'longs')} liquidated`,
      (f) => `Crypto ${rises(f, 'rally', 'slide')} liquidates $${f.millions}M of ${rises(f, 'shorts', 'longs')}`,
      (f) => `${rises(f, 'Short', 'Long')} liquidations hit $${f.millions} million`,
    ],
    heldOut: [
      (f) =>
        `Traders lose $${f.millions}M on ${rises(f, 'short', 'long')} positions as market ${rises(f, 'jumps', 'sinks')}`,
      (f) => `$${f.millions}M of leveraged ${rises(f, 'shorts', 'longs')} wiped out`,
      (f) =>
        `Market ${rises(f, 'surge', 'drop')} wipes out ${rises(f, 'shorts', 'longs')} worth $${f.millions} million`,
    ],
  },
  {
    name: 'purchase of a company',
    changes: ['firm', 'count', 'name'],
    development: [
      (f) => `${f.firm} buys ${f.count} ${f.ticker} for $${f.millions} million`,
      (f) => `${f.firm} acquires ${f.count} ${f.name} worth $${f.millions}M for treasury`,
      (f) => `${f.name} treasury firm ${f.firm} adds ${f.count} ${f.ticker}`,
    ],
    heldOut: [
      (f) => `${f.firm} picks up ${f.count} more ${f.ticker} in $${f.millions}M purchase`,
      (f) => `${f.firm} boosts ${f.name} holdings by ${f.count} coins`,
      (f) => `${f.firm} spends $${f.millions} million on ${f.count} ${f.name}`,
    ],
  },
  {
    name: 'round of money',
    changes: ['firm', 'millions'],
    development: [
      (f) => `${f.firm} raises $${f.millions} million`,
      (f) => `Crypto startup ${f.firm} secures $${f.millions}M in funding`,
      (f) => `${f.firm} closes $${f.millions} million round led by venture funds`,
    ],
    heldOut: [
      (f) => `Investors put $${f.millions}M into ${f.firm}`,
      (f) => `${f.firm} lands $${f.millions} million from investors`,
      (f) => `${f.firm} bags $${f.millions}M to expand`,
    ],
  },
  {
    name: 'rule of a country',
    changes: ['place', 'isUp'],
    development: [
      (f) => `${f.place} ${rises(f, 'approves', 'rejects')} stablecoin bill`,
      (f) => `${f.place}'s lawmakers ${rises(f, 'pass', 'vote down')} bill on stablecoins`,
      (f) => `Stablecoin bill ${rises(f, 'passes', 'fails')} in ${f.place}`,
    ],
    heldOut: [
      (f) => `${f.place} parliament ${rises(f, 'backs', 'blocks')} stablecoin law`,
      (f) => `Stablecoin legislation ${rises(f, 'cleared', 'turned down')} by ${f.place}`,
      (f) => `${f.place} ${rises(f, 'adopts', 'throws out')} stablecoin rules`,
    ],
  },
  {
    name: 'fine',
    changes: ['venue', 'millions', 'place'],
    development: [
      (f) => `${f.place} fines ${f.venue} $${f.millions} million`,
      (f) => `${f.venue} fined $${f.millions}M by regulator in ${f.place}`,
      (f) => `${f.venue} to pay $${f.millions} million penalty in ${f.place}`,
    ],
    heldOut: [
      (f) => `${f.venue} hit with $${f.millions}M fine in ${f.place}`,
      (f) => `Regulator in ${f.place} orders ${f.venue} to pay $${f.millions} million`,
      (f) => `${f.place} watchdog slaps $${f.millions}M penalty on ${f.venue}`,
    ],
  },
  {
    name: 'outage',
    changes: ['venue', 'isUp'],
    development: [
      (f) => `${f.venue} ${rises(f, 'resumes', 'suspends')} withdrawals`,
      (f) => `Withdrawals at ${f.venue} ${rises(f, 'restored', 'halted')}`,
      (f) => `${f.venue} ${rises(f, 'restarts', 'pauses')} customer withdrawals`,
    ],
    heldOut: [
      (f) => `${f.venue} ${rises(f, 'reopens', 'stops')} withdrawals`,
      (f) => `${f.venue} customers ${rises(f, 'can withdraw again', 'cannot withdraw')}`,
      (f) => `Withdrawals ${rises(f, 'resume', 'frozen')} on ${f.venue}`,
    ],
  },
  {
    name: 'transfer of a whale',
    changes: ['count', 'name', 'venue'],
    development: [
      (f) => `Whale moves ${f.count} ${f.ticker} to ${f.venue}`,
      (f) => `${f.count} ${f.ticker} sent to ${f.venue} by whale`,
      (f) => `${f.name} whale deposits ${f.count} ${f.ticker} into ${f.venue}`,
    ],
    heldOut: [
      (f) => `Large holder transfers ${f.count} ${f.ticker} to ${f.venue}`,
      (f) => `${f.count} ${f.ticker} land on ${f.venue} from unknown wallet`,
      (f) => `Unknown wallet shifts ${f.count} ${f.name} to ${f.venue}`,
    ],
  },
];

/** A price move or a liquidation is reported within the hour, other news within half a day. */
const hourly = new Set(['move of a quarter of an hour', 'level of a price', 'liquidations of an hour']);

function drawFacts(random: () => number): Facts {
  const [name, ticker, level] = pick(coins, random);
  const price = level * (0.8 + 0.4 * random());
  return {
    name,
    ticker,
    firm: pick(firms, random),
    protocol: pick(protocols, random),
    venue: pick(venues, random),
    place: pick(places, random),
    millions: Math.round(10 + random() * 900),
    percent: (0.6 + random() * 6).toFixed(2),
    price: price > 1000 ? Math.round(price).toLocaleString('en-US') : price > 10 ? price.toFixed(2) : price.toFixed(4),
    count: Math.round(100 + random() * 9000),
    isUp: random() < 0.5,
    hour: Math.floor(random() * 4),
  };
}

/** Figures of two events differ by more than rounding. */
const OTHER_MIN = 0.1;
const isOther = (next: number, figure: number): boolean => Math.abs(next / figure - 1) > OTHER_MIN;

function otherPrice(price: string, random: () => number): string {
  const next = Number(price.replaceAll(',', '')) * (1.03 + 0.1 * random());
  const digits = price.split('.')[1]?.length ?? 0;
  return digits === 0 ? Math.round(next).toLocaleString('en-US') : next.toFixed(digits);
}

/** One fact as another event has it; undefined when what was drawn is the same. */
function otherFact(facts: Facts, change: keyof Facts, drawn: Facts, random: () => number): Partial<Facts> | undefined {
  if (change === 'hour') return { hour: facts.hour + 6 + Math.floor(random() * 20) };
  if (change === 'isUp') return { isUp: !facts.isUp };
  if (change === 'price') return { price: otherPrice(facts.price, random) };
  if (change === 'percent' || change === 'millions' || change === 'count')
    return isOther(Number(drawn[change]), Number(facts[change])) ? { [change]: drawn[change] } : undefined;
  if (drawn[change] === facts[change]) return undefined;
  return change === 'name' ? { name: drawn.name, ticker: drawn.ticker } : { [change]: drawn[change] };
}

/** The same words about another event: one fact is another one, in a way a reader sees. */
function changeFact(facts: Facts, change: keyof Facts, random: () => number): Facts {
  for (;;) {
    const other = otherFact(facts, change, drawFacts(random), random);
    if (other !== undefined) return { ...facts, ...other };
  }
}

/** Families of an event and its look-alikes, each event in all wordings of the half. */
export function generateFamilies(half: Half, seed: number, perKind = 25): { kind: string; items: GeneratedItem[] }[] {
  const random = randomOf(seed);
  return kinds.flatMap((kind) =>
    Array.from({ length: perKind }, (_, at) => {
      const facts = drawFacts(random);
      const change = kind.changes[at % kind.changes.length] as keyof Facts;
      const events = [facts, changeFact(facts, change, random)];
      const items = events.flatMap((each, event) =>
        kind[half].map((word) => ({
          event,
          title: word(each),
          atMinute: each.hour * 60 + Math.floor(random() * (hourly.has(kind.name) ? 45 : 600)),
        })),
      );
      return { kind: kind.name, items };
    }),
  );
}
