/**
 * Long because it is data: headlines in the style of news wires, written by hand for this project. A topic has events that are easily mixed
 * up (the same actors, or the same kind of report); an event has the headlines of several wires about it. Pairs within an event are the same
 * story, all other pairs of a topic are not. The rules were made with `tuning`. `heldOut` was written after them; when it was measured first,
 * precision was 1.00 and recall 0.94. The rules were changed with it since; `pressHeadlines.txt` is what they have not seen.
 */
export type Topic = readonly (readonly string[])[];

export const tuning: readonly Topic[] = [
  [
    [
      'Bitcoin Drops Below $90,000 as Fed Signals Fewer Cuts',
      'BTC falls under $90K after Fed signals fewer rate cuts',
      'Bitcoin slips below $90,000 as Fed hints at fewer cuts',
    ],
    ['Bitcoin Drops Below $85,000 as Liquidations Mount', 'BTC falls under $85K amid mounting liquidations'],
    ['Bitcoin Reclaims $90,000 as Fed Fears Ease', 'BTC climbs back above $90K as Fed fears ease'],
  ],
  [
    [
      'SEC Drops Lawsuit Against Coinbase',
      'SEC drops case against crypto exchange Coinbase',
      'Coinbase says SEC has dropped its lawsuit against the exchange',
    ],
    ['SEC Drops Lawsuit Against Kraken', 'Kraken says SEC has dropped its lawsuit'],
    ['SEC delays decision on Coinbase rulemaking petition', 'SEC Postpones Coinbase Rulemaking Petition Decision'],
  ],
  [
    [
      'Bybit hacked for $1.46 billion in largest crypto theft',
      'Bybit Loses $1.5B in Biggest Crypto Hack Ever',
      'Hackers steal $1.46B from Bybit in record crypto theft',
    ],
    ['Bybit replenishes reserves after $1.4 billion hack', 'Bybit Fully Restores Reserves Following $1.4B Hack'],
    ['WazirX hacked for $230 million', 'Indian exchange WazirX loses $230M in hack'],
  ],
  [
    [
      'Spot Bitcoin ETFs See $517 Million in Outflows',
      'Bitcoin ETFs record $517M outflows',
      'US spot bitcoin ETFs lose $517 million',
    ],
    ['Spot Ether ETFs See $78 Million in Outflows', 'Ether ETFs record $78M outflows'],
    ['Spot Bitcoin ETFs See $430 Million in Inflows', 'Bitcoin ETFs record $430M inflows, ending outflow streak'],
  ],
  [
    [
      'Strategy Buys 10,107 BTC for $1.1 Billion',
      'Strategy acquires 10,107 bitcoin for $1.1B',
      "Saylor's Strategy purchases 10,107 BTC worth $1.1 billion",
    ],
    ['Strategy Buys 7,633 BTC for $742 Million', 'Strategy acquires 7,633 bitcoin for $742M'],
    ['Metaplanet Buys 156 BTC for $13.4 Million', 'Metaplanet acquires 156 bitcoin for $13.4M'],
  ],
  [
    [
      'Solana Network Halts for Five Hours, Validators Restart',
      'Solana outage: network halts, validators restart after five hours',
      'Solana halted for five hours before validators restart network',
    ],
    ['Sui Network Halts Block Production for Two Hours', 'Sui outage: network stops producing blocks for two hours'],
  ],
  [
    [
      'Binance to Delist Waves, OMG and Three Other Tokens',
      'Binance will delist WAVES, OMG and three other tokens',
      'Binance announces delisting of Waves, OMG, three others',
    ],
    ['Binance to List Pyth Network and Ondo Tokens', 'Binance will list PYTH and ONDO'],
    ['Upbit to Delist Waves Token', 'South Korean exchange Upbit will delist WAVES'],
  ],
  [
    [
      'Tether Freezes $12.3 Million in USDT on Tron',
      'Tether freezes $12.3M USDT linked to Tron wallets',
      'Stablecoin issuer Tether freezes $12.3 million of USDT on Tron network',
    ],
    ['Tether Mints $1 Billion USDT on Ethereum', 'Tether mints another $1B of USDT on Ethereum'],
    ['Circle Freezes $57 Million in USDC Tied to Libra', 'Circle freezes $57M USDC linked to Libra memecoin'],
  ],
  [
    [
      'Trump Pardons Binance Founder CZ',
      'Trump pardons Binance founder Changpeng Zhao',
      'President Trump pardons Changpeng "CZ" Zhao, founder of Binance',
    ],
    ['Trump Pardons BitMEX Co-Founders', 'President Trump pardons BitMEX co-founders Hayes and Delo'],
    ['CZ Returns to X After Prison Release', 'Binance founder CZ is released from prison'],
  ],
  [
    [
      'Fed Cuts Rates by 25 Basis Points, Bitcoin Steady',
      'Federal Reserve cuts rates by 25 basis points; bitcoin little changed',
      'Bitcoin steady after Fed cuts interest rates 25 bps',
    ],
    ['Fed Holds Rates Steady, Bitcoin Dips', 'Federal Reserve leaves rates unchanged; bitcoin slips'],
    ['ECB Cuts Rates by 25 Basis Points', 'European Central Bank cuts interest rates 25 bps'],
  ],
  [
    [
      'Ethereum Pectra Upgrade Goes Live on Mainnet',
      "Ethereum's Pectra upgrade activates on mainnet",
      'Pectra upgrade is now live on Ethereum mainnet',
    ],
    ['Ethereum Pectra Upgrade Goes Live on Holesky Testnet', "Ethereum's Pectra upgrade activates on Holesky testnet"],
    ['Ethereum Fusaka Upgrade Set for December', 'Ethereum developers schedule Fusaka upgrade for December'],
  ],
  [
    [
      'Ripple to Acquire Prime Broker Hidden Road for $1.25 Billion',
      'Ripple buys prime brokerage Hidden Road for $1.25B',
      'Ripple acquires Hidden Road in $1.25 billion deal',
    ],
    ['Coinbase to Acquire Deribit for $2.9 Billion', 'Coinbase buys options exchange Deribit for $2.9B'],
    ['Kraken to Acquire NinjaTrader for $1.5 Billion', 'Kraken buys futures platform NinjaTrader in $1.5B deal'],
  ],
  [
    [
      'Do Kwon Pleads Guilty to Fraud in Terra Collapse',
      'Terraform founder Do Kwon pleads guilty to fraud charges',
      'Do Kwon pleads guilty in US court over Terra fraud',
    ],
    ['Do Kwon Sentenced to 15 Years in Prison', 'Terraform founder Do Kwon gets 15 years in prison'],
    ['Roman Storm Found Guilty on One Count', 'Tornado Cash developer Roman Storm found guilty on one of three counts'],
  ],
  [
    [
      'XRP Jumps 12% After SEC Ends Appeal Against Ripple',
      'XRP rallies 12% as SEC drops Ripple appeal',
      'XRP surges 12% on end of SEC appeal in Ripple case',
    ],
    ['XRP Slides 7% as Whales Sell', 'XRP drops 7% amid whale selling'],
  ],
  [
    [
      'Hong Kong Issues First Stablecoin Licenses',
      'Hong Kong grants its first stablecoin licences',
      'Hong Kong Monetary Authority issues first licenses to stablecoin issuers',
    ],
    ['Hong Kong Approves Spot Solana ETF', "Hong Kong clears Asia's first spot Solana ETF"],
    ['Dubai Issues First Stablecoin Licenses', 'Dubai regulator grants first stablecoin licences'],
  ],
  [
    [
      'Curve Finance Founder Liquidated for $27 Million',
      'Curve founder Egorov faces $27M liquidation',
      'Curve Finance founder Michael Egorov liquidated, losing $27 million',
    ],
    ['Curve Finance Website Hijacked in DNS Attack', 'Curve Finance front end hijacked through DNS attack'],
  ],
  [
    [
      'Crypto Liquidations Top $1.7 Billion as Bitcoin Tumbles',
      'More than $1.7B liquidated in crypto as bitcoin tumbles',
      'Bitcoin tumble triggers $1.7 billion of crypto liquidations',
    ],
    ['Crypto Liquidations Hit $420 Million as Ether Slides', 'Ether slide triggers $420M in liquidations'],
  ],
  [
    [
      'Robinhood to Launch Crypto Trading in Singapore',
      'Robinhood plans Singapore crypto launch',
      'Robinhood will offer crypto trading in Singapore',
    ],
    ['Robinhood to Launch Tokenized Stocks in Europe', 'Robinhood launches tokenized US stocks for EU users'],
    ['Revolut to Launch Crypto Trading in Brazil', 'Revolut plans Brazil crypto launch'],
  ],
  [
    [
      'Texas Senate Passes Bitcoin Reserve Bill',
      'Texas senate approves strategic bitcoin reserve bill',
      'Bitcoin reserve bill passes Texas Senate',
    ],
    ['Arizona Governor Vetoes Bitcoin Reserve Bill', 'Arizona governor rejects bitcoin reserve bill'],
    [
      'New Hampshire Becomes First State to Pass Bitcoin Reserve Law',
      'New Hampshire signs first state bitcoin reserve law',
    ],
  ],
  [
    [
      'Avalanche Foundation Seeks to Raise $1 Billion for Treasury Firms',
      'Avalanche Foundation looks to raise $1B for AVAX treasury companies',
      'Avalanche Foundation in talks to raise $1 billion for crypto treasury companies',
    ],
    ['Solana Treasury Firm Raises $500 Million', 'Solana treasury company secures $500M raise'],
  ],
  [
    [
      'Japan Plans to Cut Crypto Tax to 20%',
      'Japan plans 20% flat tax on crypto gains',
      'Japan moves to cut crypto tax to 20%',
    ],
    ['Japan to Lift Ban on Crypto ETFs', 'Japan plans to allow crypto ETFs'],
    ['South Korea Delays Crypto Tax to 2027', 'South Korea postpones crypto tax until 2027'],
  ],
  [
    [
      'Hyperliquid Delists JELLY After Short Squeeze Threatens Vault',
      'Hyperliquid delists JELLY token after squeeze',
      'JELLY delisted by Hyperliquid following short squeeze',
    ],
    ['Hyperliquid Launches USDH Stablecoin', 'Hyperliquid rolls out USDH stablecoin'],
  ],
  [
    [
      'Bitcoin miner MARA reports record quarterly revenue of $252 million',
      'MARA posts record Q3 revenue of $252M',
      'MARA Revenue Hits Record $252 Million in Third Quarter',
    ],
    ['Riot Platforms reports quarterly revenue of $180 million', 'Riot posts $180M in Q3 revenue'],
  ],
  [
    ['Bitcoin jumps 6% after the vote', 'BTC price jumps 6% after the vote', 'Bitcoin (BTC) up 6% following the vote'],
    ['Bitcoin jumps 5% to $98,200 in 30 minutes', 'BTC up 5% in 30 minutes to $98,200'],
    ['Bitcoin jumps 5% to $101,400 in 30 minutes', 'BTC up 5% to $101,400 within 30 minutes'],
  ],
  [
    [
      'Ether Falls Below $3,000 as Tech Stocks Slide',
      'ETH drops under $3K as tech stocks slide',
      'Ethereum slips below $3,000 amid tech stock slide',
    ],
    ['Ether Falls Below $2,800 as Whales Sell', 'ETH drops under $2.8K amid whale selling'],
    ['Ether Climbs Back Above $3,000 as Tech Stocks Recover', 'ETH reclaims $3K as tech stocks rebound'],
  ],
  [
    [
      'CFTC Drops Case Against Kalshi',
      'CFTC drops its appeal against prediction market Kalshi',
      'Kalshi says CFTC has dropped its case',
    ],
    [
      'CFTC Sues Polymarket Over Unregistered Contracts',
      'CFTC files lawsuit against Polymarket over unregistered contracts',
    ],
  ],
  [
    [
      'Cetus Hacked for $223 Million on Sui',
      'Sui DEX Cetus loses $223M in exploit',
      'Hackers steal $223 million from Cetus, largest exchange on Sui',
    ],
    ['Cetus Relaunches After $223 Million Hack', 'Sui DEX Cetus relaunches following $223M exploit'],
    ['Balancer Exploited for $116 Million', 'DeFi protocol Balancer loses $116M in exploit'],
  ],
  [
    [
      'BlackRock Bitcoin ETF Posts Record $523 Million Outflow',
      "BlackRock's IBIT sees record $523M outflow",
      "BlackRock's bitcoin fund IBIT loses record $523 million",
    ],
    ['BlackRock Files for Staked Ether ETF', 'BlackRock files for staked ETH ETF with SEC'],
    ['Fidelity Bitcoin ETF Posts $112 Million Outflow', "Fidelity's FBTC sees $112M outflow"],
  ],
  [
    [
      'BitMine Buys 69,822 ETH for $200 Million',
      'BitMine acquires 69,822 ether for $200M',
      "Tom Lee's BitMine purchases 69,822 ETH worth $200 million",
    ],
    ['BitMine Buys 28,625 ETH for $82 Million', 'BitMine acquires 28,625 ether for $82M'],
    ['SharpLink Buys 19,271 ETH for $78 Million', 'SharpLink acquires 19,271 ether for $78M'],
  ],
  [
    [
      'Base Network Halts for 33 Minutes After Sequencer Fault',
      'Coinbase-backed Base halts for 33 minutes on sequencer fault',
      'Base outage: network halted for 33 minutes by sequencer failure',
    ],
    ['Starknet Halts for Four Hours After Upgrade', 'Starknet outage: network halted for four hours following upgrade'],
  ],
  [
    [
      'Coinbase to List Hyperliquid Perpetuals',
      'Coinbase will list HYPE perpetual futures',
      'Coinbase adds perpetual futures for Hyperliquid',
    ],
    ['Coinbase to Delist Movement Token', 'Coinbase will delist MOVE'],
    ['Robinhood Lists Hyperliquid Token', 'Robinhood adds HYPE to its platform'],
  ],
  [
    [
      'Circle Mints $750 Million USDC on Solana',
      'Circle mints another $750M of USDC on Solana',
      'Stablecoin issuer Circle mints $750 million USDC on the Solana network',
    ],
    ['Circle Shares Drop 12% After Earnings', 'Circle stock falls 12% following earnings'],
    ['Paxos Mints $300 Trillion PYUSD by Mistake', 'Paxos mistakenly mints $300 trillion of PYUSD'],
  ],
  [
    [
      'Sam Bankman-Fried Seeks Trump Pardon',
      'FTX founder Sam Bankman-Fried seeks pardon from Trump',
      'Bankman-Fried is seeking a pardon from President Trump',
    ],
    ['Sam Bankman-Fried Denied New Trial', 'Appeals court denies FTX founder Bankman-Fried a new trial'],
    ['FTX to Distribute $1.6 Billion to Creditors', 'FTX will pay creditors another $1.6B'],
  ],
  [
    [
      'Bank of Japan Raises Rates to 0.75%, Bitcoin Falls',
      'BOJ raises rates to 0.75%; bitcoin slips',
      'Bitcoin falls after Bank of Japan raises interest rates to 0.75%',
    ],
    ['Bank of England Cuts Rates to 3.75%', 'BoE cuts interest rates to 3.75%'],
  ],
  [
    [
      'Cardano Chang Upgrade Goes Live',
      "Cardano's Chang hard fork activates on mainnet",
      'Chang hard fork upgrade is live on Cardano',
    ],
    ['Cardano Chain Splits After Malformed Transaction', 'Cardano suffers chain split caused by malformed transaction'],
  ],
  [
    [
      'Stripe to Acquire Bridge for $1.1 Billion',
      'Stripe buys stablecoin platform Bridge for $1.1B',
      'Stripe acquires stablecoin startup Bridge in $1.1 billion deal',
    ],
    ['Mastercard in Talks to Acquire Zerohash for $2 Billion', 'Mastercard nears $2B deal for Zerohash'],
    ['FalconX to Acquire 21Shares', 'FalconX buys ETF issuer 21Shares'],
  ],
  [
    [
      'Celsius Founder Alex Mashinsky Sentenced to 12 Years',
      'Celsius founder Mashinsky gets 12 years in prison',
      'Alex Mashinsky sentenced to 12 years for Celsius fraud',
    ],
    ['Celsius Settles With Tether for $299.5 Million', 'Tether pays Celsius $299.5M in settlement'],
    ['SafeMoon CEO Sentenced to Eight Years', 'SafeMoon chief gets eight years in prison'],
  ],
  [
    [
      'Dogecoin Rallies 14% as First ETF Debuts',
      'DOGE jumps 14% on debut of first ETF',
      'Dogecoin surges 14% as first DOGE ETF launches',
    ],
    ['Dogecoin Slides 9% as ETF Interest Fades', 'DOGE drops 9% on fading ETF interest'],
  ],
  [
    [
      'UK Lifts Ban on Retail Crypto ETNs',
      "UK's FCA lifts ban on crypto ETNs for retail investors",
      'British regulator lifts retail ban on crypto ETNs',
    ],
    ['UK Proposes Cap on Stablecoin Holdings', 'Bank of England proposes limits on stablecoin holdings'],
    ['Thailand Lifts Ban on Crypto ETFs', 'Thai regulator lifts ban on crypto ETFs'],
  ],
  [
    [
      'Aave Passes Vote on $50 Million Buyback',
      'Aave DAO approves $50M annual buyback',
      'Aave governance approves $50 million token buyback',
    ],
    ['Aave Launches V4 on Testnet', 'Aave V4 goes live on testnet'],
    ['Uniswap Passes Vote on Fee Switch', 'Uniswap governance approves fee switch'],
  ],
  [
    [
      'Crypto Shorts Worth $600 Million Liquidated as Bitcoin Rallies',
      'Bitcoin rally liquidates $600M of crypto shorts',
      '$600 million in crypto shorts wiped out in bitcoin rally',
    ],
    ['Crypto Longs Worth $900 Million Liquidated as Bitcoin Slides', 'Bitcoin slide liquidates $900M of crypto longs'],
  ],
  [
    [
      'Gemini Files for IPO on Nasdaq',
      'Winklevoss-led Gemini files for Nasdaq IPO',
      'Crypto exchange Gemini files to go public on Nasdaq',
    ],
    ['Gemini Prices IPO at $28 per Share', 'Gemini IPO priced at $28 a share'],
    ['Grayscale Files for IPO', 'Grayscale files to go public'],
  ],
  [
    [
      'Ohio House Passes Bitcoin Payments Bill',
      'Bitcoin payments bill passes Ohio House',
      'Ohio house approves bill for bitcoin payments',
    ],
    ['Florida Withdraws Bitcoin Reserve Bills', 'Florida lawmakers withdraw bitcoin reserve bills'],
  ],
  [
    [
      'Polygon Labs Cuts 19% of Staff',
      'Polygon Labs lays off 19% of its workforce',
      'Polygon Labs reduces staff by 19%',
    ],
    ['Polygon Suffers Brief Outage After Heimdall Bug', 'Polygon hit by brief outage caused by Heimdall bug'],
    ['Chainalysis Lays Off 15% of Staff', 'Chainalysis cuts 15% of its workforce'],
  ],
  [
    [
      'Brazil Taxes Crypto Gains at 17.5%',
      'Brazil sets 17.5% flat tax on crypto gains',
      'Brazil introduces 17.5% crypto tax',
    ],
    [
      'Brazil Bans Stablecoin Transfers to Self-Custody',
      'Brazil moves to ban stablecoin transfers to self-custodial wallets',
    ],
    ['India Keeps Crypto Tax at 30%', 'India retains 30% tax on crypto'],
  ],
  [
    [
      'dYdX Halts Chain for Eight Hours',
      'dYdX chain halted for eight hours',
      'DEX dYdX suspends trading as its chain halts for eight hours',
    ],
    ['dYdX Raises Buyback Share to 75%', 'dYdX community lifts buyback to 75% of fees'],
  ],
  [
    [
      'Galaxy Digital reports quarterly profit of $505 million',
      'Galaxy posts Q3 profit of $505M',
      'Galaxy Digital Profit Soars to $505 Million in Third Quarter',
    ],
    ['Bullish reports quarterly profit of $18.5 million', 'Bullish posts Q3 profit of $18.5M'],
  ],
  [
    [
      'Solana gains 3% in the hour after ETF approval',
      'SOL up 3% within an hour of ETF approval',
      'Solana (SOL) climbs 3% after ETF approval',
    ],
    ['Solana gains 4% to $142.30 in 60 minutes', 'SOL up 4% to $142.30 within 60 minutes'],
    ['Solana gains 4% to $151.75 in 60 minutes', 'SOL up 4% in 60 minutes to $151.75'],
  ],
  [
    [
      'Bitcoin Climbs Past $110,000 to New Record High',
      'BTC hits record high above $110K',
      'Bitcoin tops $110,000, setting a record high',
    ],
    ['Bitcoin Climbs Past $115,000 as Shorts Are Squeezed', 'BTC rises above $115K in short squeeze'],
    ['Bitcoin Falls Back Below $110,000', 'BTC slides under $110K'],
  ],
  [
    [
      'SEC Sues Unicoin Over $100 Million Offering',
      'SEC charges Unicoin over $100M offering',
      'Unicoin sued by SEC over $100 million token offering',
    ],
    ['SEC Closes Uniswap Investigation', 'SEC ends probe into Uniswap Labs'],
    ['SEC Closes OpenSea Investigation', 'SEC ends its probe of OpenSea'],
  ],
  [
    [
      'Nobitex Hacked for $90 Million',
      'Iranian exchange Nobitex loses $90M in hack',
      'Hackers steal $90 million from Iranian crypto exchange Nobitex',
    ],
    ['BigONE Hacked for $27 Million', 'Crypto exchange BigONE loses $27M in hack'],
    ['Nobitex Resumes Withdrawals After Hack', 'Nobitex restarts withdrawals following hack'],
  ],
  [
    [
      'Spot Solana ETFs Draw $69 Million in First Day Inflows',
      'Solana ETFs see $69M inflows on first day',
      'Solana spot ETFs record $69 million of inflows on debut',
    ],
    ['Spot XRP ETFs Draw $250 Million in First Day Inflows', 'XRP ETFs see $250M inflows on first day'],
    ['Spot Solana ETFs See First Outflows of $8 Million', 'Solana ETFs record $8M outflows, their first'],
  ],
  [
    [
      'Metaplanet Buys 5,268 BTC for $615 Million',
      'Metaplanet acquires 5,268 bitcoin for $615M',
      "Japan's Metaplanet purchases 5,268 BTC worth $615 million",
    ],
    ['Semler Scientific Buys 210 BTC for $25 Million', 'Semler Scientific acquires 210 bitcoin for $25M'],
    ['Metaplanet Raises $1.4 Billion in Share Sale', 'Metaplanet secures $1.4B through share offering'],
  ],
  [
    [
      'TON Blockchain Halts for Six Hours on DOGS Traffic',
      'TON outage: blockchain halted for six hours amid DOGS traffic',
      'TON network halted six hours by DOGS token traffic',
    ],
    ['Linea Halts Block Production for 40 Minutes', 'Linea outage: block production stops for 40 minutes'],
  ],
  [
    [
      'Kraken to Delist Monero in Europe',
      'Kraken will delist XMR for European users',
      'Kraken to delist Monero for customers in Europe',
    ],
    ['OKX to Delist Monero and Zcash', 'OKX will delist XMR and ZEC'],
    ['Kraken Lists Pepe Perpetuals', 'Kraken adds PEPE perpetual futures'],
  ],
  [
    [
      'Tether Mints $2 Billion USDT on Tron',
      'Tether mints another $2B of USDT on Tron',
      'Stablecoin issuer Tether mints $2 billion USDT on the Tron network',
    ],
    ['Tether Reports $4.9 Billion Quarterly Profit', 'Tether posts Q2 profit of $4.9B'],
    ['Tether Mints $1 Billion USDT on Tron', 'Tether mints $1B of USDT on Tron'],
  ],
  [
    [
      'Roger Ver Settles US Tax Case for $48 Million',
      'Bitcoin investor Roger Ver settles tax case with US for $48M',
      'Roger Ver reaches $48 million settlement in US tax case',
    ],
    [
      'Eisenberg Conviction Overturned in Mango Markets Case',
      'Judge overturns Mango Markets exploiter Eisenberg’s conviction',
    ],
  ],
  [
    [
      'Swiss National Bank Cuts Rates to Zero',
      'SNB cuts interest rates to 0%',
      'Swiss National Bank lowers rate to 0%',
    ],
    ['Reserve Bank of Australia Holds Rates at 3.6%', 'RBA keeps interest rates at 3.6%'],
  ],
  [
    [
      'BNB Chain Maxwell Upgrade Goes Live',
      "BNB Chain's Maxwell hard fork activates on mainnet",
      'Maxwell hard fork is live on BNB Chain',
    ],
    ['Avalanche Octane Upgrade Goes Live', "Avalanche's Octane upgrade activates on mainnet"],
  ],
  [
    [
      'Circle to Acquire Hashnote for $1.3 Billion',
      'Circle buys tokenized fund issuer Hashnote for $1.3B',
      'Circle acquires Hashnote in $1.3 billion deal',
    ],
    ['MoonPay to Acquire Helio for $175 Million', 'MoonPay buys Solana payments firm Helio for $175M'],
    ['Circle Launches Gateway on Testnet', 'Circle rolls out Gateway on testnet'],
  ],
  [
    [
      'HashFlare Founders Sentenced to Time Served',
      'HashFlare founders get time served for Ponzi scheme',
      'Founders of HashFlare sentenced to time served in Ponzi case',
    ],
    ['Forcount Promoter Sentenced to 20 Years', 'Forcount promoter gets 20 years in prison'],
  ],
  [
    [
      'Litecoin Jumps 11% on Treasury News',
      'LTC rallies 11% after treasury announcement',
      'Litecoin surges 11% following treasury announcement',
    ],
    ['Litecoin Drops 6% With Wider Market', 'LTC falls 6% in broad market slide'],
    ['Zcash Jumps 11% on Privacy Demand', 'ZEC rallies 11% as privacy demand grows'],
  ],
  [
    [
      'Vietnam Legalizes Crypto Assets',
      'Vietnam passes law legalizing crypto assets',
      'Vietnam approves law to legalise crypto assets',
    ],
    ['Pakistan Sets Up Crypto Regulator', 'Pakistan approves new crypto regulator'],
    ['Vietnam Launches Five-Year Crypto Trading Pilot', 'Vietnam starts five-year pilot for crypto trading'],
  ],
  [
    [
      'Lido DAO Approves Dual Governance',
      'Lido passes dual governance vote',
      'Lido token holders approve dual governance',
    ],
    ['Jupiter DAO Suspends Votes Until 2026', 'Jupiter pauses DAO votes until 2026'],
  ],
  [
    [
      'Ether Longs Worth $170 Million Liquidated in Flash Crash',
      'Flash crash liquidates $170M of ether longs',
      '$170 million in ether longs wiped out in flash crash',
    ],
    ['Ether Shorts Worth $120 Million Liquidated in Rally', 'Rally liquidates $120M of ether shorts'],
  ],
  [
    [
      'Figure Raises $787 Million in IPO',
      'Figure Technology raises $787M in Nasdaq IPO',
      'Blockchain lender Figure raises $787 million in its IPO',
    ],
    ['eToro Raises $620 Million in IPO', 'eToro raises $620M in Nasdaq IPO'],
    ['Kraken Raises $500 Million Ahead of IPO', 'Kraken secures $500M ahead of IPO'],
  ],
  [
    [
      'North Carolina House Passes Bitcoin Investment Bill',
      'Bitcoin investment bill passes North Carolina House',
      'North Carolina house approves bill for bitcoin investment',
    ],
    ['Oklahoma Senate Rejects Bitcoin Reserve Bill', 'Oklahoma senate blocks bitcoin reserve bill'],
  ],
  [
    [
      'Consensys Lays Off 7% of Staff',
      'Consensys cuts 7% of its workforce',
      'MetaMask developer Consensys lays off 7% of employees',
    ],
    ['Matter Labs Cuts 16% of Staff', 'zkSync developer Matter Labs lays off 16% of its workforce'],
  ],
  [
    [
      'Portugal Taxes Short-Term Crypto Gains at 28%',
      'Portugal sets 28% tax on short-term crypto gains',
      'Portugal introduces 28% tax on crypto gains held under a year',
    ],
    ['Denmark Proposes 42% Tax on Unrealized Crypto Gains', 'Denmark plans 42% tax on unrealised crypto gains'],
  ],
  [
    [
      'Core Scientific Reports Quarterly Revenue of $81 Million',
      'Core Scientific posts Q3 revenue of $81M',
      'Bitcoin miner Core Scientific books $81 million in quarterly revenue',
    ],
    ['Core Scientific Shareholders Reject CoreWeave Deal', 'Core Scientific shareholders vote down CoreWeave takeover'],
  ],
  [
    [
      'Ethena Falls 9% to $0.412 in 45 Minutes',
      'ENA drops 9% to $0.412 within 45 minutes',
      'Ethena (ENA) slides 9% in 45 minutes to $0.412',
    ],
    ['Ethena Falls 9% to $0.377 in 45 Minutes', 'ENA drops 9% in 45 minutes to $0.377'],
    ['Ethena Falls 3% to $0.412 in 45 Minutes', 'ENA drops 3% in 45 minutes to $0.412'],
  ],
  [
    [
      'Solana Slides Under $130 as Memecoin Mania Cools',
      'SOL falls below $130 as memecoin mania cools',
      'Solana drops below $130 amid cooling memecoin mania',
    ],
    ['Solana Slides Under $120 in Broad Sell-Off', 'SOL falls below $120 in broad sell-off'],
    ['Solana Bounces Above $130 on ETF Hopes', 'SOL rebounds above $130 on ETF hopes'],
  ],
  [
    [
      'GMX Exploited for $42 Million on Arbitrum',
      'Perps DEX GMX loses $42M in exploit',
      'Hackers drain $42 million from GMX on Arbitrum',
    ],
    ['GMX Hacker Returns $40 Million', 'GMX exploiter returns $40M to the protocol'],
    ['Abracadabra Exploited for $13 Million', 'DeFi lender Abracadabra loses $13M in exploit'],
  ],
  [
    [
      'Ether ETFs See $726 Million in Record Inflows',
      'Spot ether ETFs record $726M inflows, a daily record',
      'US ether ETFs pull in record $726 million inflow',
    ],
    ['Ether ETFs See $197 Million in Outflows', 'Spot ether ETFs record $197M outflows'],
  ],
  [
    [
      'Strategy Buys 430 BTC for $51.4 Million',
      'Michael Saylor’s Strategy acquires 430 bitcoin for $51.4M',
      'Strategy adds 430 BTC to its holdings for $51.4 million',
    ],
    ['Strategy Buys 155 BTC for $18 Million', 'Strategy acquires 155 bitcoin for $18M'],
    ['Trump Media Buys $2 Billion of Bitcoin', 'Trump Media acquires bitcoin worth $2B'],
  ],
  [
    [
      'Upbit Hacked for $30 Million, Halts Solana Withdrawals',
      'Upbit suspends Solana withdrawals after $30M hack',
      'South Korean exchange Upbit loses $30 million in hack',
    ],
    ['Upbit Resumes Withdrawals After Hack', 'Upbit restarts withdrawals following hack'],
    ['CoinDCX Hacked for $44 Million', 'Indian exchange CoinDCX loses $44M in hack'],
  ],
  [
    [
      'Bank of Canada Cuts Rates to 2.25%',
      'BoC lowers interest rate to 2.25%',
      'Canada central bank cuts rates to 2.25%',
    ],
    ['Fed Cuts Rates to 3.75%-4%', 'Federal Reserve lowers rates to range of 3.75%-4%'],
  ],
  [
    ['OKX Lists Plasma Perpetuals', 'OKX adds perpetual futures for Plasma', 'OKX launches Plasma perpetual futures'],
    ['Bybit Lists Plasma Perpetuals', 'Bybit adds perpetual futures for Plasma'],
    ['OKX Delists Five Margin Pairs', 'OKX will delist five margin pairs'],
  ],
  [
    [
      'Naver to Acquire Upbit Operator Dunamu for $10 Billion',
      'Naver buys Upbit parent Dunamu in $10B deal',
      'Naver acquires Dunamu, operator of Upbit, for $10 billion',
    ],
    ['Coinbase to Acquire Echo for $375 Million', 'Coinbase buys fundraising platform Echo for $375M'],
  ],
  [
    [
      'Judge Dismisses Lawsuit Against Yuga Labs',
      'Yuga Labs lawsuit dismissed by US judge',
      'US judge dismisses investor lawsuit against Yuga Labs',
    ],
    ['Judge Dismisses Lawsuit Against Pump.fun', 'Pump.fun lawsuit dismissed by judge'],
  ],
  [
    [
      'Celestia Jumps 18% After Lotus Upgrade',
      'TIA rallies 18% on Lotus upgrade',
      'Celestia surges 18% following Lotus upgrade',
    ],
    ['Celestia Sinks 10% on Token Unlock', 'TIA drops 10% amid token unlock'],
    ['Injective Jumps 18% After Buyback', 'INJ rallies 18% on buyback'],
  ],
  [
    [
      'Russia Lets Banks Offer Crypto Futures',
      'Russia allows banks to offer crypto futures',
      'Russian central bank allows crypto futures at banks',
    ],
    ['Russia Bans Crypto Mining in Ten Regions', 'Russia to ban crypto mining in ten regions'],
  ],
  [
    [
      'Bitcoin Longs Worth $830 Million Liquidated in Overnight Slide',
      'Overnight slide liquidates $830M of bitcoin longs',
      '$830 million in bitcoin longs liquidated as price slides overnight',
    ],
    ['XRP Longs Worth $65 Million Liquidated', 'XRP slide liquidates $65M of longs'],
  ],
  [
    [
      'Tempo Raises $500 Million at $5 Billion Valuation',
      'Stripe-backed Tempo raises $500M at $5B valuation',
      'Payments chain Tempo closes $500 million round, valued at $5 billion',
    ],
    ['Kalshi Raises $300 Million at $5 Billion Valuation', 'Kalshi raises $300M at $5B valuation'],
    ['Monad Raises $269 Million in Token Sale', 'Monad sells $269M of tokens in public sale'],
  ],
  [
    [
      'Wyoming Launches State Stablecoin FRNT',
      'Wyoming debuts its state stablecoin, FRNT',
      'Wyoming rolls out FRNT stablecoin',
    ],
    ['North Dakota Plans Roughrider Stablecoin', 'North Dakota to launch Roughrider stablecoin'],
  ],
  [
    [
      'Bitfarms Posts Q3 Loss of $46 Million',
      'Bitfarms reports quarterly loss of $46M',
      'Bitcoin miner Bitfarms loses $46 million in third quarter',
    ],
    ['Bitfarms to Wind Down Bitcoin Mining by 2027', 'Bitfarms will exit bitcoin mining by 2027'],
    ['Hut 8 Posts Q3 Profit of $50.6 Million', 'Hut 8 reports quarterly profit of $50.6M'],
  ],
  [
    [
      'Aptos Gains 7% to $4.83 in 20 Minutes',
      'APT up 7% to $4.83 within 20 minutes',
      'Aptos (APT) rises 7% in 20 minutes to $4.83',
    ],
    ['Aptos Gains 7% to $5.20 in 20 Minutes', 'APT up 7% in 20 minutes to $5.20'],
    ['Aptos Gains 2% to $4.83 in 20 Minutes', 'APT up 2% to $4.83 within 20 minutes'],
  ],
  [
    [
      'Hourly wrap: Chainlink down 0.41% at $12.871',
      'Chainlink (LINK) down 0.41% over the hour at $12.871',
      'LINK slips 0.41% in the hour to $12.871',
    ],
    ['Hourly wrap: Chainlink down 0.41% at $12.902', 'Chainlink (LINK) down 0.41% over the hour at $12.902'],
    ['Hourly wrap: Polkadot down 0.41% at $3.1120', 'Polkadot (DOT) down 0.41% over the hour at $3.1120'],
  ],
  [
    [
      '$SUI funding turns negative at -0.0021%',
      'Funding of $SUI turns negative, now -0.0021%',
      'SUI funding rate turns negative at -0.0021%',
    ],
    ['$SUI funding turns negative at -0.0057%', 'Funding of $SUI turns negative, now -0.0057%'],
    ['$APT funding turns negative at -0.0021%', 'Funding of $APT turns negative, now -0.0021%'],
  ],
];

export const heldOut: readonly Topic[] = [
  [
    [
      'Bitcoin Sinks Below $80,000 as Tariff Fears Return',
      'BTC drops under $80K on tariff fears',
      'Bitcoin falls below $80,000 amid tariff fears',
    ],
    ['Bitcoin Sinks Below $75,000 as Stocks Plunge', 'BTC drops under $75K as stocks plunge'],
    ['Bitcoin Surges Above $82,000 on Tariff Pause', 'BTC jumps above $82K after tariff pause'],
  ],
  [
    [
      'Phemex Hacked for $69 Million',
      'Singapore exchange Phemex loses $69M in hack',
      'Hackers steal $69 million from crypto exchange Phemex',
    ],
    ['Infini Hacked for $49 Million', 'Stablecoin bank Infini loses $49M in exploit'],
    ['Phemex Restores Withdrawals', 'Phemex resumes withdrawals after hack'],
  ],
  [
    [
      'Bitcoin ETFs Bleed $1.1 Billion in Record Outflow',
      'Spot bitcoin ETFs post record $1.1B outflow',
      'Bitcoin ETFs lose $1.1 billion in largest daily outflow',
    ],
    ['Bitcoin ETFs Draw $274 Million, Ending Outflow Run', 'Spot bitcoin ETFs see $274M inflows'],
    ['Litecoin ETFs Draw $1.1 Million on Debut', 'Litecoin ETF sees $1.1M inflows on first day'],
  ],
  [
    [
      'Semler Scientific Buys 455 BTC for $50 Million',
      'Semler Scientific acquires 455 bitcoin for $50M',
      'Semler Scientific adds 455 BTC to its treasury for $50 million',
    ],
    ['Semler Scientific Buys 167 BTC for $16.2 Million', 'Semler Scientific acquires 167 bitcoin for $16.2M'],
    ['Twenty One Capital Buys 4,812 BTC for $459 Million', 'Twenty One acquires 4,812 bitcoin for $459M'],
  ],
  [
    [
      'Norway Central Bank Holds Rates at 4%',
      'Norges Bank keeps rate unchanged at 4%',
      'Norges Bank holds rates at 4%',
    ],
    ['ECB Holds Rates at 2%', 'European Central Bank keeps rates unchanged at 2%'],
  ],
  [
    ['Coinbase Lists Aster', 'Coinbase to list Aster token', 'Coinbase adds support for Aster'],
    ['Coinbase Lists Zora', 'Coinbase to list Zora token'],
    ['Binance Lists Aster', 'Binance to list Aster token'],
  ],
  [
    [
      'Hedera Jumps 15% on Token Fund Filing',
      'HBAR rallies 15% after fund filing',
      'Hedera (HBAR) surges 15% on fund filing',
    ],
    ['Hedera Slips 4% as Rally Fades', 'HBAR falls 4% as rally fades'],
  ],
  [
    [
      'Ukraine Parliament Passes Crypto Tax Bill',
      'Ukraine lawmakers approve crypto tax bill',
      'Crypto tax bill passes Ukraine parliament',
    ],
    ['Ukraine Seizes $100 Million in Crypto Fraud Case', 'Ukrainian police seize $100M in crypto fraud case'],
  ],
  [
    [
      'Ethereum Shorts Worth $210 Million Liquidated as ETH Rallies',
      'ETH rally liquidates $210M of shorts',
      '$210 million of ether shorts liquidated in rally',
    ],
    ['Ethereum Longs Worth $310 Million Liquidated as ETH Slides', 'ETH slide liquidates $310M of longs'],
  ],
  [
    [
      'Agora Raises $50 Million in Series A',
      'Stablecoin startup Agora raises $50M Series A',
      'Agora closes $50 million Series A round',
    ],
    ['Zama Raises $57 Million in Series B', 'Zama raises $57M Series B'],
    ['Kuru Raises $11.6 Million in Series A', 'Kuru closes $11.6M Series A'],
  ],
  [
    [
      'CleanSpark Posts Record Revenue of $766 Million',
      'CleanSpark reports record $766M annual revenue',
      'Bitcoin miner CleanSpark books record revenue of $766 million',
    ],
    ['Cipher Mining Posts Revenue of $72 Million', 'Cipher Mining reports $72M in quarterly revenue'],
  ],
  [
    [
      'Near Protocol client 2.10 released ahead of upgrade',
      'NEAR developers release client 2.10 before upgrade',
      'Client 2.10 released by NEAR Protocol developers',
    ],
    ['Near Protocol client 2.11 released ahead of upgrade', 'NEAR developers release client 2.11'],
  ],
  [
    [
      '$TON surges 1.31% in 15 minutes to $3.2140',
      '$TON surges 1.31% to $3.2140 within 15 minutes',
      'TON jumps 1.31% in fifteen minutes, trades at $3.2140',
    ],
    ['$TON surges 1.31% in 15 minutes to $3.3020', '$TON surges 1.31% to $3.3020 within 15 minutes'],
    ['$TON surges 0.98% in 15 minutes to $3.2140', '$TON surges 0.98% to $3.2140 within 15 minutes'],
    ['$SEI surges 1.31% in 15 minutes to $0.3190', '$SEI surges 1.31% to $0.3190 within 15 minutes'],
  ],
  [
    [
      'Hourly wrap: Bitcoin (BTC) up 0.22% at $104210',
      'Bitcoin (BTC) up 0.22% over the hour at $104210',
      'BTC adds 0.22% over the hour, at $104210',
    ],
    ['Hourly wrap: Bitcoin (BTC) up 0.22% at $104550', 'Bitcoin (BTC) up 0.22% over the hour at $104550'],
    ['Bitcoin (BTC) surges 1.02% in 15 minutes to $104210', 'Bitcoin (BTC) surges 1.02% to $104210 within 15 minutes'],
  ],
  [
    ['$INJ perpetual listing goes live', 'Exchange listing: $INJ perpetual goes live', 'INJ perpetual is listed'],
    ['$WIF perpetual listing goes live', 'Exchange listing: $WIF perpetual goes live'],
  ],
];
