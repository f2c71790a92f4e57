/** Words of headlines by what they say about an event. Long because it is data: the words that decide whether two headlines report one event. */

const forms = (groups: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(groups).flatMap(([root, words]) => words.split(' ').map((word) => [word, root])));

/** Words that say the same. */
export const sameWords = forms({
  rise: 'rises rose surge surges surged soar soars soared jump jumps jumped rally rallies rallied climb climbs climbed gain gains gained spike spikes spiked skyrocket skyrockets up rebound rebounds rebounded reclaim reclaims reclaimed advances higher rocket rockets rocketed pop pops popped pump pumps pumped bounce bounces bounced rebounding retake retakes retook leap leaps leaped vault vaults swing swings extends climbing surging soaring rising gaining rallying bounced-back spiking advance advanced',
  fall: 'falls plunge plunges plunged fell slide slides slid slip slips slipped tumble tumbles tumbled crash crashes crashed sink sinks sank plummet plummets slump slumps dip dips dipped decline declines declined down retreat retreats lower dump dumps dumped skid skids tank tanks tanked crater craters sag sags sheds shed crack cracks cracked plummeted falling sliding sinking tumbling plunging dropping slumped slumping nosedive nosedives retreated pullback eases down',
  cross:
    'tops topped top breaks broke surpass surpasses surpassed exceed exceeds exceeded crosses crossed hits hit reach reaches reached hitting touch touches touched knocks topping reaching breaking clear',
  hack: 'hacks hacked exploit exploited exploits breach breached attack attacked attacker hacker hackers drain drains drained stolen steal steals theft heist exploiter exploiters attackers hacking siphon siphons siphoned loot loots looted compromise compromised raid raided cyberattack stole stealing robbed robbery robs',
  approve:
    'approves approved approval greenlights greenlit clears cleared pass passes passed grant grants granted adopts adopted green-lights approving sign signs signed enact enacts enacted authorise authorises authorize authorizes greenlight clear',
  reject:
    'rejects rejected block blocks blocked deny denies denied refutes refuted disputes disputed veto vetoes vetoed reject turns-down vote-down fails failed fail throws-out dismisses',
  delay:
    'delays delayed postpone postpones postponed delaying push-back defers deferred defer stalls stall stalled shelve shelves shelved',
  list: 'lists listed listing adds add',
  delist: 'delists delisted delisting',
  launch:
    'launches launched unveils unveiled debuts debut introduces introduce introduced rolls release releases released goes live activates activated activate offer offers mainnet-launch open opens opened opening start starts started begin begins began arrive arrives arrived rollout unveiling introducing starting activating activation rolled ship ships shipped present presents presented create creates created form forms formed establish establishes',
  repay: 'repays repaid reimburse reimburses reimbursed compensate compensates',
  return: 'returns returned reclaims-funds',
  refund: 'refunds refunded',
  overturn: 'overturns overturned reversed',
  lose: 'loses lost loss losses losing',
  dismiss: 'dismisses dismissed tosses tossed',
  ban: 'bans banned outlaws prohibits',
  probe: 'probes investigation investigations inquiry inquiries investigates',
  above: 'past',
  close:
    'closes closed ends ended end shut shuts shutting winds wind winding sunset sunsets sunsetting shutter shutters shuttered ending closing',
  sue: 'sues sued lawsuit lawsuits charges charged case complaint suing suit suits litigation',
  buy: 'buys bought acquire acquires acquired purchase purchases purchased acquisition takeover',
  sell: 'sells sold selling sale offload offloads',
  halt: 'halts halted suspend suspends suspended pause pauses paused outage stops stopped down-time downtime freezes-trading stop stopping offline disrupt disrupts disrupted disruption outages halting pausing',
  resume:
    'resumes resumed restart restarts restarted relaunch relaunches relaunched restore restores restored reopens replenishes replenished',
  inflow: 'inflows draw draws attract attracts enter enters entered',
  outflow: 'outflows bleed bleeds redemption redemptions exodus',
  raise: 'raises raised hike hikes hiked increases increased lift lifts lifted secures secured',
  cut: 'cuts reduce reduces reduced slash slashes lowers lowered',
  hold: 'holds held leaves unchanged keeps retains',
  liquidate: 'liquidates liquidated liquidation liquidations wiped',
  long: 'longs',
  short: 'shorts',
  freeze: 'freezes froze frozen',
  mint: 'mints minted issues-usdt prints',
  burn: 'burns burned',
  pardon: 'pardons pardoned',
  sentence: 'sentenced sentences prison jail years-in-prison jailed imprisoned behind-bars term',
  convict: 'guilty convicted conviction pleads pleaded convicts admit admits admitted',
  settle: 'settles settled settlement settle',
  plan: 'plans planned considers mulls eyes seeks seek proposes proposed moves set mull want wants aim aims prepare prepares preparing weigh weighs weighing consider intends',
  file: 'files filed filing submit submits submitted',
  staff: 'workforce employees layoffs lays employee worker workers agent staffer job jobs',
  licence: 'license licenses licences licensing',
  share: 'shares stock stocks',
  tax: 'taxes taxed',
  bill: 'bills law laws legislation',
  reserve: 'reserves',
  etf: 'etfs etp etps fund funds',
  upgrade: 'upgrades fork hardfork overhaul',
  perpetual: 'perpetuals perp perps',
  company: 'firm firms companies',
  record: 'biggest largest all-time',
  profit: 'earnings income',
  revenue: 'revenues sales',
  fed: 'fomc powell',
  bank: 'banks lender lenders',
  test: 'testnet hoodi holesky sepolia devnet',
  main: 'mainnet',
  below: 'beneath under',
  win: 'wins won receive receives received obtain obtains obtained land lands landed bag bags bagged nab nabs score scores scored earn earns earned net nets netted get gets',
  fine: 'fines fined penalty penalties penalized sanction sanctions',
  court: 'courts tribunal',
  arrest: 'arrests arrested detain detains detained',
  free: 'freed frees rescued rescue rescues liberated released-from',
  kidnap: 'kidnapped kidnapping kidnappers abduct abducts abducted abduction hostage',
  leave: 'leaves exit exits exited quit quits withdraws withdraw departs pulls phase phases',
  move: 'moves moved shift shifts shifted transfer transfers transferred send sends sent',
  whale: 'whales holder holders',
  dormant: 'wakes awakens dormancy silence inactive',
  warn: 'warns warned warning cautions',
  forecast: 'forecasts predict predicts predicted prediction-of target targets expects sees-at outlook',
  recover: 'claws recoups retrieves recovers recovered recovery',
  option: 'options',
  expire: 'expires expiry expiries expiration settle-options',
  depeg: 'depegs depegged peg',
  ads: 'advert adverts advertisement advertisements advertising',
  stock: 'equity equities',
  borrow: 'borrows loan loans lending lend lends',
  identify: 'identifies unmasks exposes',
  validator: 'validators',
  client: 'clients',
  rule: 'rules regulate regulates regulated regulation regulations oversight',
  regulator: 'regulators watchdog authority regulatory agency',
  retail: 'retailers',
  predict: 'prediction',
  ipo: 'public-listing go-public',
  miner: 'miners mining',
  lease: 'leases',
  contract: 'contracts',
  donate: 'donates donated donation',
  appoint: 'appoints appointed hires hired taps tapped nominates nominated',
  resign: 'resigns resigned steps-down departs',
  partner: 'partners partnership teams-up',
  vote: 'votes voted ballot',
  deal: 'agreement pact',
  treasury: 'treasuries stash holdings',
  allow: 'allows allowed lets let permits permit enable enables',
  issue: 'issues issued',
  support: 'supports supported supporting back backs backed backing endorse endorses',
  complete: 'completes completed completion finalize finalizes finalises finalized',
  abandon: 'abandons abandoned scrap scraps scrapped',
  trial: 'retrial',
  tokenize: 'tokenization tokenisation tokenized tokenised tokenizes tokenizing',
  trade: 'trades traded',
  oppose: 'opposes opposed opposing opposition',
  drop: 'drops dropped dropping',
  expand: 'expands expanded expanding broadens broadened widens widened extended extend expansion grows',
  invest: 'invests invested investing investment pours poured puts bets stakes',
  seize: 'seizes seized seizure confiscates confiscated forfeits forfeiture',
  extradite: 'extradited extradites extradition',
  fire: 'layoff fires fired sacks sacked',
  merge: 'merges merged merger merging combine combines',
  rename: 'renames renamed rebrand rebrands rebranded',
  migrate: 'migrates migrated migration',
  airdrop: 'airdrops airdropped',
  stak: 'stakes-eth staking staked staker stakers',
  unlock: 'unlocks unlocked',
  bug: 'bugs flaw flaws vulnerability vulnerabilities',
  fix: 'fixes fixed patch patches patched',
  bankrupt: 'bankruptcy insolvency insolvent',
  beat: 'beats tops-estimates',
  miss: 'misses missed',
  appeal: 'appeals appealed',
  hear: 'hearing hearings testify testifies testimony',
  join: 'joins joined joining',
  choose: 'chooses chose picks picked selects selected select',
  accept: 'accepts accepted accepting',
  integrate: 'integrates integrated integration integrating',
  pledge: 'pledges pledged commits committed commit',
  threaten: 'threat threats',
  oust: 'ousts ousted removes removed',
  order: 'orders ordered ordering',
  urge: 'urges urged calls-on',
  accuse: 'accuses accused alleges alleged allegedly accusation accusations',
  lawmaker: 'lawmakers legislators lawmaking congressmen',
  exempt: 'exempts exempted exemption waiver',
  track: 'tracks tracked tracking',
  unwind: 'unwinds unwound',
  reward: 'rewards',
  redeem: 'redeems redeemed',
  custody: 'custodian custodians custodial',
  lead: 'leads led leading',
  double: 'doubles doubled doubling',
  quantum: 'post-quantum',
  suspect: 'suspects suspected suspicious',
  release: 'releases-report',
  victim: 'victims',
  fraud: 'scam scams fraudulent ponzi',
  launder: 'laundering laundered launders',
  secret: 'secretly',
  rumor: 'rumors rumour rumours speculation',
  interview: 'interviews',
  valuation: 'valued valuing values',
  euro: 'euros eur',
  dollar: 'dollars usd',
  target: 'targeting targeted',
  trader: 'traders',
  bettor: 'bettors gamblers',
  whistle: 'whistleblower',
  sanction: 'sanctioned blacklists blacklisted',
});

/** Words that exclude each other: an event has one of each group. */
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
  ['allow', 'ban'],
];

/** Actions. Two headlines without a common figure and a common action report two events. */
export const actions = new Set(
  (
    'rise fall cross hack approve reject delay list delist launch close sue buy sell halt resume raise cut hold liquidate freeze mint burn ' +
    'pardon sentence convict settle file pricing dismiss free arrest kidnap seize appoint resign bankrupt extradite merge rename oppose'
  ).split(' '),
);

/** What has a sequel. */
export const incidents: readonly string[] = ['hack', 'halt', 'sue', 'convict'];
/** What follows an incident: a report of it without one of these is another story. */
export const sequels: readonly (readonly string[])[] = [
  ['resume', 'recover', 'return'],
  ['repay', 'refund'],
  ['settle'],
  ['overturn'],
  ['bounty'],
  ['close'],
];
/** The attacker of an incident is reported later, or at once with the figure. */
export const attributions = new Set(['behind', 'blame', 'identify', 'arrest', 'leak', 'northkorea', 'lazarus']);

/** Before one of these a name is an affiliation, which another wire may leave out. */
export const roles = new Set(
  'founder cofounder ceo chief president developer issuer chairman executive boss lawyer investor shares stock miner lender treasury'.split(
    ' ',
  ),
);

/** Object of the action, where names do not identify it. */
export const subjects = new Set(
  (
    'etf licence tax bill stak option perpetual future margin ipo upgrade buyback airdrop loan card share profit revenue ' +
    'staff petition appeal cap ban switch'
  ).split(' '),
);

/** What one name stands for; a headline has room for one of them. */
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
  malta: 'maltese',
  czech: 'czechia',
  poland: 'polish',
  peru: 'peruvian',
  chile: 'chilean',
  norway: 'norwegian',
  argentina: 'argentine argentinian',
  ireland: 'irish',
  netherlands: 'dutch',
  sweden: 'swedish',
  denmark: 'danish',
  greece: 'greek',
  portugal: 'portuguese',
  mexico: 'mexican',
  colombia: 'colombian',
  indonesia: 'indonesian',
  pakistan: 'pakistani',
  israel: 'israeli',
  ghana: 'ghanaian',
  luxembourg: 'luxembourgish',
  philippines: 'philippine',
  kazakhstan: 'kazakh',
  austria: 'austrian',
  belgium: 'belgian',
  hungary: 'hungarian',
  romania: 'romanian',
  malaysia: 'malaysian',
  taiwan: 'taiwanese',
  uae: 'emirati',
  bhutan: 'bhutanese',
  salvador: 'salvadoran',
  venezuela: 'venezuelan',
  egypt: 'egyptian',
  cyprus: 'cypriot',
  singapore: 'singaporean',
  bofa: 'bankofamerica',
  aws: 'amazonwebservices',
});

/** Names of one kind: two headlines with different ones report two events. */
export const nameKinds: readonly ReadonlySet<string>[] = [
  'binance coinbase kraken okx bybit bitget kucoin upbit bithumb gemini bitstamp bitfinex htx huobi mexc robinhood revolut wazirx deribit bitmex bullish phemex nobitex dmm btcturk bigone swissborg korbit coinone etoro bitvavo bitpanda coincheck bitflyer',
  'sec cftc fca doj esma finma irs fincen sfc mas hkma',
  'fed ecb boj boe pboc snb rba boc rbi',
  'blackrock fidelity grayscale ark vaneck bitwise franklin invesco wisdomtree',
  'tether circle paxos',
  'microstrategy metaplanet bitmine sharplink mara riot cleanspark semler',
  'texas arizona ohio florida hampshire wyoming utah montana oklahoma kentucky california',
  'us uk japan korea china india brazil kenya norway turkey canada chile thailand vietnam singapore dubai hong europe germany france italy spain switzerland russia ukraine nigeria argentina australia malta czech poland peru ireland netherlands sweden denmark greece portugal mexico colombia indonesia pakistan israel ghana luxembourg philippines kazakhstan austria belgium hungary romania malaysia taiwan uae bhutan salvador venezuela egypt cyprus iran',
].map((names) => new Set(names.split(' ')));

/** Say nothing about an event. */
export const stopWords = new Set(
  (
    'a an the of to in on at by for with from as and or its it is are was were be been but had has have will would could may might can not no ' +
    'after before over under into within amid via than that this his her their our out off against about between among during following ' +
    'while when where who what how why more most less fewer nearly almost around roughly some all another other each per up-to back still ' +
    'says said say report reports reportedly according new now today latest just breaking exclusive update updated news ' +
    'minute minutes hour hours day days week weeks month months year years hourly daily weekly monthly annual quarterly quarter q1 q2 q3 q4 ' +
    'monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december ' +
    'one two three four five six seven eight nine ten first second third last next ' +
    'net see sees saw log logs notch notches post posts posted get gets got face faces become becomes little changed steady worth ever fully'
  ).split(' '),
);

/** Words that many events have: they count little, and are no names. */
export const weakWords = new Set(
  (
    'miner above below crypto cryptocurrency cryptocurrencies digital asset assets token tokens coin coins price prices market markets exchange exchanges platform ' +
    'protocol network chain blockchain company founder cofounder co-founder co-founders ceo chief executive investor investors trader traders ' +
    'trading trade lose south north deal central billion million spot stablecoin stablecoins issuer defi dex whale whales rate rates interest decision ' +
    'high low gains losses treasury fund move jump world global american major president parliament lawmakers senator talks agreement service ' +
    'services user users customer customers wallet wallets plan retail institutional public private official officials state federal court judge ' +
    'developer developers community team startup giant backed led website site data analyst analysts report volume heavy thin weekend valuation round'
  ).split(' '),
);

/** Words of headlines that are no names although a headline in title case writes them with a capital. */
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
export const PLAIN_ENDING = /(?:ed|ing|ly|tion|tions|sion|ment|ments|ness|ity|ive|ous|ful|ers|ors|ism)$/;

/** Names of several words, and turns of phrase, in one form. */
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
  [/\bfront[\s-]ends?\b/gi, 'website'],
  [/\bset(?:s|ting)?\s+up\b/gi, 'launches'],
  [/\b[Ee]x-(?=\p{Lu})/gu, 'former '],
  [/\bsued\s+by\s+(\p{Lu}\S*)/gu, 'target $1 sues'],
  [/\bdown(?=\s*(?:[:;,.]|$))/gi, 'halted'],
  [/\breal[- ]world assets?\b/gi, 'RWA'],
  [/\b(?:won't|will not|do(?:es)? not|cannot|can't|no longer)\s+(?:back|support|endorse)\b/gi, 'opposes'],
  [/\b(?:pull|withdraw|drop|end)(?:s|ed|ing)?\s+(?:its\s+)?(?:support|backing)\b/gi, 'opposes'],
  [/\b(?:seek|want|await)(?:s|ing)?\s+(?:\p{L}+\s+){0,2}?(?:approval|permission|nod|green light)\b/giu, 'files'],
  [/\bopens?\s+(?=.{3,30}\sto\b)/gi, 'allows '],
  [/\badds?\s+(?=(?:another\s|over\s|some\s)?[$€£]?\d)/gi, 'buys '],
  [
    /\b(?:rais|lift|boost|upgrad)(?:es|s|ed|e)?\s+(\p{Lu}\S+)(?:\s+\p{L}+){0,2}\s+to\s+['"]?(?:buy|overweight|outperform)\b['"]?/giu,
    'upgrades $1 ',
  ],
  [/\bclos(?:es|ed)\s+(?=(?:\S+\s+){0,3}(?:purchase|acquisition|takeover|deal)\b)/gi, 'completes '],
  [/\b(?:sam )?bankman[- ]fried\b/gi, 'SBF'],
  [/\bchangpeng zhao\b/gi, 'CZ'],
  [/\b(?:michael )?saylor(?:'s)? (?=strategy)/gi, ''],
  [/\b(?:president )?donald trump\b|\bpresident trump\b/gi, 'Trump'],
  [/\bintercontinental exchange\b/gi, 'ICE'],
  [/\bandreessen horowitz\b/gi, 'a16z'],
  [/\bstandard chartered\b/gi, 'StanChart'],
  [/\bjp ?morgan(?: chase)?\b/gi, 'JPMorgan'],
  [/\bnew york stock exchange\b/gi, 'NYSE'],
  [/\bhouse of representatives\b/gi, 'House'],
  [/\bunited states\b/gi, 'US'],
  [/\bunited kingdom\b/gi, 'UK'],
  [/\bunited arab emirates\b/gi, 'UAE'],
  [/\b(?:releas|let|set)(?:es|ed|e)?\s+(?:free|from (?:prison|jail|custody))\b/gi, 'freed'],
  [
    /\b(?:sees|eyes)\s+(?=.{2,30}\s(?:at|above|below|(?:dropp|fall|ris|hitt|reach|climb)ing(?: to)?)\s[$€£]?\d)/gi,
    'forecasts ',
  ],
  [/\b(?:price|year-end) (?:targets?|forecasts?|predictions?)\b/gi, 'forecast'],
  [/\bclarity act\b/gi, 'market structure bill'],
  [/\bgenius act\b/gi, 'GENIUS stablecoin bill'],
  [/\bbank of america\b/gi, 'BofA'],
  [/\bamazon web services\b/gi, 'AWS'],
  [/\bfinancial intelligence unit\b/gi, 'FIU'],
  [/\bsilicon valley bank\b/gi, 'SVB'],
  [/\bnorth korea(?:n)?\b/gi, 'NorthKorea'],
  [/\bsouth korea(?:n)?\b/gi, 'Korea'],
  [/\bsouth africa(?:n)?\b/gi, 'SouthAfrica'],
  [/\bel salvador\b/gi, 'Salvador'],
  [/\btak(?:es|e|ing)\s+(.{3,50}?)\s+to\s+court\b/gi, 'sues $1'],
  [/\b(?:pull|take|draw|rake|suck|bring)(?:s|ed|ing)?\s+in\b/gi, 'inflow'],
  [/\b(?:phas|wind|shut|pull)(?:e|es|s|ed|ing)?\s+(?:down|out)\b/gi, 'close'],
  [/\b(?:call|break)(?:s|ed|ing)?\s+off\b/gi, 'abandon'],
  [/\bpush(?:es|ed|ing)?\s+back\b/gi, 'delay'],
  [/\b(?:vot|turn|strik|struck|threw|throw)(?:e|es|s|ed|ing)?\s+(?:down|out)\b/gi, 'reject'],
  [/\bstep(?:s|ped|ping)?\s+down\b/gi, 'resign'],
  [/\bteam(?:s|ed|ing)?\s+up\b/gi, 'partner'],
  [/\b(?:scoop|pick|snap)(?:s|ed|ping|ing)?\s+up\b|\bspends?\s+(?=[$€£])/gi, 'buys '],
  [/\b(?:back online|up again|back up)\b|\b(?:can|to)\s+(\w+)\s+again\b/gi, 'resume $1'],
  [/\b(?:gets?|got|is|are|been)\s+listed\b/gi, 'lists'],
  [/\bback\s+(?=above|over|below|under)/gi, ''],
  [/\b(?:all-time|record|lifetime|new|highest)\s+(?:high|peak|price)(?:\s+ever)?\b|\bath\b/gi, 'record'],
  [/\bipo\b|\b(?:public\s+(?:listing|offering)|go(?:es|ing)?\s+public)\b/gi, 'IPO'],
  [/\bgo(?:es|ing)?\s+(?:live|online)\b|\bis\s+(?:now\s+)?live\b/gi, 'launches'],
  [
    /\bgo(?:es|ing)?\s+(?:down|offline|dark)\b|\bknock(?:s|ed)?\s+(?:out|offline)\b|\btak(?:es|en)\s+(.{3,40}?)\s+offline\b/gi,
    'halts $1',
  ],
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
