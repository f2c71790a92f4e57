/** Word lists for headlines. Used only to decide whether two headlines are about the same event. */

const forms = (groups: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(groups).flatMap(([root, words]) => words.split(' ').map((word) => [word, root])));

/** Synonyms. */
export const sameWords = forms({
  rise: 'rises rose surge surges surged soar soars soared jump jumps jumped rally rallies rallied climb climbs climbed gain gains gained spike spikes spiked skyrocket skyrockets up rebound rebounds rebounded recover recovers recovered reclaim reclaims reclaimed advances higher',
  fall: 'falls plunge plunges plunged drop drops dropped fell slide slides slid slip slips slipped tumble tumbles tumbled crash crashes crashed sink sinks sank plummet plummets slump slumps dip dips dipped decline declines declined down retreat retreats lower',
  cross:
    'tops topped top breaks broke surpass surpasses surpassed exceed exceeds exceeded crosses crossed hits hit reach reaches reached',
  hack: 'hacks hacked exploit exploited exploits breach breached attack attacked attacker hacker hackers drain drains drained stolen steal steals theft heist',
  approve:
    'approves approved approval greenlights greenlit clears cleared pass passes passed grant grants granted issue issues issued backs adopts adopted allow allows lets permits green-lights',
  reject: 'rejects rejected block blocks blocked deny denies denied veto vetoes vetoed',
  delay: 'delays delayed postpone postpones postponed',
  list: 'lists listed listing adds add',
  delist: 'delists delisted delisting',
  launch:
    'launches launched unveils unveiled debuts debut introduces introduce introduced rolls release releases released goes live activates activated activate offer offers mainnet-launch',
  repay: 'repays repaid reimburse reimburses reimbursed compensate compensates',
  return: 'returns returned',
  refund: 'refunds refunded',
  overturn: 'overturns overturned reversed',
  lose: 'loses lost loss losses losing',
  dismiss: 'dismisses dismissed tosses tossed',
  ban: 'bans banned outlaws prohibits',
  probe: 'probes investigation investigations inquiry inquiries investigates',
  above: 'past',
  close: 'closes closed ends ended end shut shuts shutting winds',
  sue: 'sues sued lawsuit lawsuits charges charged case complaint',
  buy: 'buys bought acquire acquires acquired purchase purchases purchased acquisition takeover',
  sell: 'sells sold selling sale offload offloads',
  halt: 'halts halted suspend suspends suspended pause pauses paused outage stops stopped down-time downtime',
  resume:
    'resumes resumed restart restarts restarted relaunch relaunches relaunched restore restores restored reopens replenishes replenished',
  inflow: 'inflows draw draws attract attracts',
  outflow: 'outflows',
  raise: 'raises raised hike hikes hiked increases increased lift lifts lifted secures secured',
  cut: 'cuts reduce reduces reduced slash slashes lowers lowered',
  hold: 'holds held leaves unchanged keeps retains',
  liquidate: 'liquidates liquidated liquidation liquidations wiped',
  long: 'longs',
  short: 'shorts',
  freeze: 'freezes froze frozen',
  mint: 'mints minted',
  burn: 'burns burned',
  pardon: 'pardons pardoned',
  sentence: 'sentenced sentences prison jail',
  convict: 'guilty convicted conviction pleads pleaded',
  settle: 'settles settled settlement',
  plan: 'plans planned considers mulls eyes seeks seek proposes proposed moves set',
  file: 'files filed filing',
  staff: 'workforce employees layoffs lays',
  licence: 'license licenses licences licensing',
  share: 'shares stock stocks',
  tax: 'taxes taxed',
  bill: 'bills law laws legislation',
  reserve: 'reserves',
  etf: 'etfs etp etps fund funds',
  upgrade: 'upgrades fork hardfork',
  perpetual: 'perpetuals perp perps',
  company: 'firm firms companies',
  record: 'biggest largest all-time',
  profit: 'earnings income',
  revenue: 'revenues sales',
  fed: 'fomc powell',
  bank: 'banks',
  test: 'testnet',
  main: 'mainnet',
});

/** Groups of exclusive words: an event has one of each group. */
export const opposites: readonly (readonly string[])[] = [
  ['rise', 'fall'],
  ['inflow', 'outflow'],
  ['approve', 'reject', 'delay'],
  ['list', 'delist'],
  ['launch', 'close'],
  ['halt', 'resume'],
  ['buy', 'sell'],
  ['raise', 'cut', 'hold'],
  ['above', 'below'],
  ['long', 'short'],
  ['mint', 'burn', 'freeze'],
  ['test', 'main'],
  ['profit', 'revenue'],
];

/** Actions. Two headlines without a common figure and without a common action are about two events. */
export const actions = new Set(
  (
    'rise fall cross hack approve reject delay list delist launch close sue buy sell halt resume raise cut hold liquidate freeze mint burn ' +
    'pardon sentence convict settle file pricing dismiss'
  ).split(' '),
);

/** Incidents, which have sequels. */
export const incidents: readonly string[] = ['hack', 'halt', 'sue', 'convict'];
/** Words of sequels: a report of the incident without one of these is another story. */
export const sequels = new Set(['resume', 'settle', 'repay', 'return', 'refund', 'overturn']);

/** A name before one of these is an affiliation, which another source may leave out. */
export const roles = new Set(
  'founder cofounder ceo chief president developer issuer chairman executive boss lawyer investor shares stock'.split(
    ' ',
  ),
);

/** Objects of actions, where names do not distinguish events. */
export const subjects = new Set(
  (
    'etf licence tax bill stak option perpetual future margin ipo upgrade buyback airdrop loan card share profit revenue ' +
    'staff petition appeal cap ban switch'
  ).split(' '),
);

/** Aliases of one name; a headline contains only one of them. */
export const sameNames = forms({
  uk: 'britain british',
  switzerland: 'swiss',
  vietnam: 'vietnamese',
  russia: 'russian',
  ukraine: 'ukrainian',
  spain: 'spanish',
  italy: 'italian',
  turkey: 'turkish',
  nigeria: 'nigerian',
  kenya: 'kenyan',
  germany: 'german',
  france: 'french',
  canada: 'canadian',
  australia: 'australian',
  iran: 'iranian',
  us: 'usa american',
  india: 'indian',
  japan: 'japanese',
  thailand: 'thai',
  korea: 'korean',
  brazil: 'brazilian',
  china: 'chinese',
  europe: 'eu european',
  cz: 'changpeng zhao',
  microstrategy: 'strategy saylor',
  blackrock: 'ibit etha',
  fidelity: 'fbtc feth',
  grayscale: 'gbtc',
  sbf: 'bankman-fried',
});

/** Names of one kind: headlines with different names of a kind are about two events. */
export const nameKinds: readonly ReadonlySet<string>[] = [
  'binance coinbase kraken okx bybit bitget kucoin upbit bithumb gemini bitstamp bitfinex htx huobi mexc robinhood revolut wazirx deribit bitmex bullish',
  'sec cftc fca doj esma finma irs fincen sfc mas hkma',
  'fed ecb boj boe pboc snb rba boc rbi',
  'blackrock fidelity grayscale ark vaneck bitwise franklin invesco wisdomtree',
  'tether circle paxos',
  'microstrategy metaplanet bitmine sharplink mara riot cleanspark semler',
  'texas arizona ohio florida hampshire wyoming utah montana oklahoma kentucky california',
  'us uk japan korea china india brazil kenya norway turkey canada chile thailand vietnam singapore dubai hong europe germany france italy spain switzerland russia ukraine nigeria argentina australia',
].map((names) => new Set(names.split(' ')));

/** Stop words. */
export const stopWords = new Set(
  (
    'a an the of to in on at by for with from as and or its it is are was were be been but had has have will would could may might can not no ' +
    'after before over under into within amid via than that this his her their our out off against about between among during following ' +
    'while when where who what how why more most less fewer nearly almost around roughly some all another other each per up-to back still ' +
    'says said say report reports reportedly according new now today latest just breaking exclusive update updated news ' +
    'minute minutes hour hours day days week weeks month months year years hourly daily weekly monthly annual quarterly quarter q1 q2 q3 q4 ' +
    'monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december ' +
    'one two three four five six seven eight nine ten first second third last next ' +
    'see sees saw post posts posted get gets got face faces become becomes little changed steady worth ever fully'
  ).split(' '),
);

/** Words of many events: they have little weight, and are no names. */
export const weakWords = new Set(
  (
    'above below crypto cryptocurrency cryptocurrencies digital asset assets token tokens coin coins price prices market markets exchange exchanges platform ' +
    'protocol network chain blockchain company founder cofounder co-founder co-founders ceo chief executive investor investors trader traders ' +
    'trading trade lose south north deal central billion million spot stablecoin stablecoins issuer defi dex whale whales rate rates interest decision ' +
    'high low gains losses treasury fund move jump world global american major president parliament lawmakers senator talks agreement service ' +
    'services user users customer customers wallet wallets plan retail institutional public private official officials state federal court judge ' +
    'developer developers community team startup giant backed led website site data analyst analysts report volume heavy thin weekend valuation round'
  ).split(' '),
);

/** Words that are no names although title case capitalises them. */
export const plainWords = new Set(
  (
    'bill bid ban bans bank basis points options futures margin staking yield loan lending debt bond bonds fee fees switch vote votes governance ' +
    'buyback airdrop unlock supply demand flow pressure sentiment fears fear hopes hope bets bet signals signal hints hint warns warning risk risks ' +
    'tech stock stocks gold oil dollar inflation jobs tariff tariffs war peace election policy rule rules regulation regulator regulators agency ' +
    'petition appeal trial fraud count counts prison charges appeals money laundering scam collapse bankruptcy creditors payments payment transfers transfer ' +
    'self-custody custody reserve reserves block blocks production validators validator sequencer fault bug error failure client version testnet mainnet ' +
    'licence licenses shares share debut streak record interest holdings cap limit limits mistake squeeze vault squeeze threatens seeks ends end ends ' +
    'return returns ease eases mount mounts fade fades fading suffers suffer hijacked hijack front dns withdraw withdraws withdrawals deposit deposits ' +
    'tokenized tokenised perpetual contracts contract unregistered prediction memecoin meme miner miners mining revenue quarter staff brief outage ' +
    'flat proposal reform moratorium registration licensing seed series large small big key top best worst tie tied linked ' +
    'prime broker brokerage venture capital startup research study survey poll hard soft core early late old long short open interest call put ' +
    'whale leverage leveraged position positions liquid restaking bridge bridges oracle wallet malformed transaction transactions split splits ' +
    'mania hopes overnight broad sell-off selloff cools cooling parent operator pairs pair regions unlock media holdings hopes daily trade slide ' +
    'rally crash flash demand privacy wider sweeping talks draft guidance guidelines framework sandbox pilot roadmap summit conference ' +
    'chief leader head owner firm maker giant arm unit group club bank lender broker insurer auditor watchdog ministry minister treasury ' +
    'scheme ponzi promoter influencer rapper celebrity teen couple man woman brothers family ' +
    'strong weak wild sharp huge massive big small early final full partial total net gross average median ' +
    'time served state city national local regional domestic foreign cross-border instant free paid mobile online ' +
    'house senate governor congress parliament committee hearing talks deal firm pay pays paid distribute distributes repay repays'
  ).split(' '),
);

/** Endings of verbs, adverbs and abstract nouns. */
export const PLAIN_ENDING = /(?:ed|ing|ly|tion|tions|sion|ment|ments|ness|ity|ive|ous|ful|ers|ism)$/;

/** Names of several words, and phrases, mapped to one form. */
export const joined: readonly (readonly [RegExp, string])[] = [
  [/\bfederal reserve\b/gi, 'Fed'],
  [/\beuropean central bank\b/gi, 'ECB'],
  [/\bbank of japan\b/gi, 'BOJ'],
  [/\bbank of england\b/gi, 'BOE'],
  [/\bbank of canada\b/gi, 'BOC'],
  [/\bcanad(?:a's|a|ian) central bank\b/gi, 'BOC'],
  [/\bjapan(?:'s|ese)? central bank\b/gi, 'BOJ'],
  [/\bu\.?s\.? central bank\b/gi, 'Fed'],
  [/\bswiss (?:central|national) bank\b/gi, 'SNB'],
  [/\breserve bank of australia\b/gi, 'RBA'],
  [/\breserve bank of india\b/gi, 'RBI'],
  [/\bpeople's bank of china\b/gi, 'PBOC'],
  [/\bsecurities and exchange commission\b/gi, 'SEC'],
  [/\bcommodity futures trading commission\b/gi, 'CFTC'],
  [/\bdepartment of justice\b|\bjustice department\b/gi, 'DOJ'],
  [/\bfinancial conduct authority\b/gi, 'FCA'],
  [/\bhong kong monetary authority\b/gi, 'Hong Kong HKMA'],
  [/\bmonetary authority of singapore\b/gi, 'Singapore MAS'],
  [/\bhard fork\b/gi, 'fork'],
  [/\bco-founder/gi, 'cofounder'],
  [/\b\p{L}+-(?:backed|led|based|linked|owned)\b/giu, ' '],
  [/\blift(?:s|ed)?\s+(?:\w+\s+)?ban\b/gi, 'allow'],
  [/\bprice[sd]\s+(?=ipo)/gi, 'pricing '],
  [/\bipo\s+priced\b/gi, 'IPO pricing'],
  [/\b(?:under|below)\s+(?=[$€£])/gi, 'below '],
  [/\b(?:above|past|over)\s+(?=[$€£])/gi, 'above '],
  [/\b(?:tops|topped|surpass(?:es|ed)|cross(?:es|ed))\s+(?=[$€£])/gi, 'cross above '],
];
