/** Stop words of questions. */
const silent = new Set(
  (
    'a an and are as at be been but by can cannot could did do does doing don for from get gets got had has have how i if in into is it its ' +
    'just let may me mean means might much many must my need no not of off on one or our out please should so some sextant tell than that ' +
    'the their them then there these they thing this those to too up us use used using very want was way we were what when where ' +
    'which while who why will with without would you your about after again all also any because before between both each explain ' +
    'exactly happen happens happened happening work works working make makes making show shows shown see say says know find ' +
    'there here come comes go goes going take takes give gives actually really ever only own same such am whats hows im ive cant dont isnt ' +
    'doesnt didnt wont somehow anyone anybody hi hello hey thanks help possible able'
  ).split(' '),
);

const canonical = (groups: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(groups).flatMap(([word, others]) => others.split(' ').map((other) => [other, word])));

/** Synonyms that users type for the product's terms. */
const synonyms = canonical({
  price: 'cost costs cheap expensive pricing',
  symbol: 'coin coins pair pairs ticker tickers crypto',
  interval: 'timeframe timeframes tf',
  signin: 'login logging logon signon',
  twofactor: '2fa mfa totp otp tfa twofa authenticator',
  buy: 'bought purchase purchases purchased purchasing topup recharge refill',
  stop: 'sl stoploss stoplosses',
  target: 'tp takeprofit',
  drawdown: 'dd',
  liquidation: 'liquidated liquidate liquidates liq rekt',
  compute: 'calculate calculated calculates calculation computed formula',
  definition: 'defined define',
  optimise: 'optimiser optimizer optimize optimization optimisation optimizing',
  far: 'distance',
  size: 'big large bigger larger sizing',
  keyboard: 'shortcut shortcuts hotkey hotkeys',
  funds: 'money',
  delete: 'remove erase wipe gdpr',
  theme: 'dark night light skin appearance',
  colour: 'color colors colours colored',
  refund: 'refunds refunded reimburse reimbursed reimbursement chargeback moneyback',
  limit: 'quota quotas limits',
  plan: 'tier tiers subscription subscriptions subscribe premium upgrade',
  collection: 'postman insomnia collections',
  status: 'uptime downtime outage outages incident incidents',
  password: 'passwd passphrase pw',
  email: 'mail e-mail',
  picture: 'photo avatar image images pic pics screenshot screenshots pictures',
  message: 'notification notifications alert alerts notify notified messages reminder',
  withdraw: 'withdrawal withdrawals cashout payout',
  receipt: 'invoice invoices bill receipts',
  fee: 'commission commissions fees',
  auto: 'bot bots autopilot automatic automatically automate automation unattended autotrade',
  csv: 'spreadsheet excel',
  simulated: 'paper fake practice simulation',
  slow: 'stuck hang hangs hanging freeze freezes frozen forever',
  differ: 'different mismatch differs',
  key: 'apikey apikeys credential credentials keys',
  arbitrage: 'arb',
  indicator: 'indicators oscillator',
  leverage: 'gearing leveraged',
  walkforward: 'wfa oos',
  luck: 'lucky chance random',
  leaderboard: 'ranking rank',
  watchlist: 'favourites favorites',
  trailing: 'trail',
  unsubscribe: 'unlink',
});

const phrases: [RegExp, string][] = [
  [/sign(?:ed|ing)?[ -]?in\b|log(?:ged|ging)?[ -]?in\b|log(?:ged)? ?on\b/g, ' signin '],
  [/two[ -]?(?:factor|step)|multi[ -]?factor|2[ -](?:factor|step)|second factor/g, ' twofactor '],
  [/stop[ -]?loss(?:es)?/g, ' stop '],
  [/take[ -]?profits?/g, ' target '],
  [/web[ -]?hooks?/g, ' webhook '],
  [/back[ -]?test(?:s|ing|er)?\b/g, ' backtest '],
  [/time[ -]?frames?/g, ' interval '],
  [/time[ -]?zones?/g, ' timezone '],
  [/rate[ _-]?limit(?:s|ed|ing)?|too many requests|throttl\w*|\b429\b/g, ' ratelimit rate limit '],
  [/top(?:ping)?[ -]up/g, ' buy '],
  [/api[ -]?keys?/g, ' api key '],
  [/watch[ -]?lists?/g, ' watchlist '],
  [/walk[ -]?forward|out[ -]of[ -]sample/g, ' walkforward '],
  [/curve[ -]?fit\w*|over[ -]?fit\w*|data[ -]?snooping/g, ' overfitting '],
  [/cash(?:ing)? out|pay ?outs?/g, ' withdraw '],
  [/margin call/g, ' liquidation '],
  [/money[ -]back/g, ' refund '],
  [/colou?r[ -]?blind\w*/g, ' colourblind colour '],
  [/(?:clos|cancel|terminat)\w* (?:my |the |an )?account/g, ' delete account '],
  [/\bno (?:trade|position)s?\b|\bnot (?:\w+ )?open(?:ed)?\b/g, ' notopened position '],
  [
    /stop(?:s|ped)? (?:coming|arriving|working)|(?:not|never|doesnt|dont|isnt) (?:arriv\w*|deliver\w*|received?)/g,
    ' arrive ',
  ],
  [/monte[ -]?carlo/g, ' montecarlo '],
  [/e-mail/g, ' email '],
  [/server[ -]sent events|\bsse\b/g, ' stream events '],
];

/** Stem of a word: `charged`, `charges` and `charging` are equal. */
export function stemOf(word: string): string {
  if (word.length <= 3) return word;
  const plain = word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/([^su])s$/, '$1');
  const stem = plain.replace(/(?:ing|ed|ly|er|ion|ation|ment|able)$/, '');
  const base = stem.length >= 3 && /[aeiouy]/.test(stem) ? stem : plain;
  return base.replace(/([bdfgmnprt])\1$/, '$1').replace(/(.{3,})e$/, '$1');
}

const joinPhrases = (text: string): string =>
  phrases.reduce((all, [pattern, word]) => all.replaceAll(pattern, word), text.toLowerCase().replaceAll(/['’]/g, ''));

/** The stems of a text without stop words, in order. */
export function stemsOf(text: string): string[] {
  const words = joinPhrases(text).match(/[a-z0-9_]+/g) ?? [];
  const spoken = words.flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word]));
  return spoken
    .filter((word) => word.length > 1 && !silent.has(word))
    .map((word) => stemOf(synonyms.get(word) ?? word));
}

/** Correctly spelt words that no article contains. */
export const isKnownWord = (word: string): boolean => silent.has(word) || synonyms.has(word);
/** Candidates for correcting a mistyped word, in addition to the words of the articles. */
export const typedWords: readonly string[] = [...synonyms.keys()].filter((word) => word.length >= 4);
