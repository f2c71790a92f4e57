import type { Suite } from '../suite.ts';

/** Every suite, in the order of the list that `npm run bench` prints. Loaded when it runs: the list needs no engine and no packages. */
export const suites: readonly Suite[] = [
  {
    name: 'indicators',
    question: 'What does each indicator cost per bar at 500 candles, against plain TypeScript and against native code?',
    prepare: async () => (await import('./indicators.ts')).prepareIndicators(),
  },
  {
    name: 'backtest',
    question: 'What does one whole backtest cost, from candles to trades and statistics, against plain TypeScript?',
    prepare: async () => (await import('./backtest.ts')).prepareBacktests(),
  },
  {
    name: 'optimizer',
    question:
      'What does one parameter set cost in a search over 1,200 candles, against plain TypeScript and native code?',
    prepare: async () => (await import('./optimizer.ts')).prepareOptimizer(),
  },
  {
    name: 'portfolio',
    question: 'What does one account over 128 symbols cost, scores made once, and the whole task?',
    prepare: async () => (await import('./portfolio.ts')).preparePortfolios(),
  },
  {
    name: 'scan',
    question: 'What does a scan of 300 symbols cost, candles copied in: 13 votes and the score at the last candle?',
    prepare: async () => (await import('./scan.ts')).prepareScan(),
  },
  {
    name: 'storage',
    question: 'How much disk and write-ahead log does a scan of the simulated universe take?',
    measure: async (report) => (await import('./storage.ts')).measureStorage(report),
  },
  {
    name: 'notices',
    question: 'How many of their commits do 24 writers keep with notices between nodes, by NOTIFY and by NATS?',
    measure: async (report) => (await import('./notices.ts')).measureNotices(report),
  },
  {
    name: 'growth',
    question: 'How large is the database at 1,000 and 100,000 users, with what is deleted after its retention?',
    measure: async (report) => (await import('./growth.ts')).measureGrowth(report),
  },
  {
    name: 'positions',
    question:
      'What does a round over 10,000 open positions of 120 symbols cost: one price, or one closed candle, of each?',
    prepare: async () => (await import('./positions.ts')).preparePositions(),
  },
  {
    name: 'alerts',
    question:
      'What does a tick of each of 300 symbols cost at 100,000 alerts, does every receipt decide the same again, and how soon after a close is an alert delivered?',
    prepare: async () => (await import('./alerts.ts')).prepareAlerts(),
  },
  {
    name: 'scale',
    question: 'Is the cost linear in candles and in sets, and what do a million candles need in time and memory?',
    prepare: async () => (await import('./scale.ts')).prepareScale(),
  },
  {
    name: 'host-overhead',
    question: 'What does the way to the engine and back cost: a call, copying in and out, a hop to another thread?',
    prepare: async () => (await import('./hostOverhead.ts')).prepareHostOverhead(),
  },
  {
    name: 'peers',
    question:
      'Nine indicators over 500 candles, from arrays to arrays: how do the npm packages compare, and do they agree?',
    prepare: async () => (await import('./peers.ts')).preparePeers(),
  },
  {
    name: 'rivals',
    question:
      'What does each of nine indicators cost beside TA-Lib in WebAssembly and two npm packages, results first?',
    prepare: async () => (await import('./rivals.ts')).prepareRivals(),
  },
  {
    name: 'api',
    question:
      'What does a signal cost over HTTP beside a bare Fastify route, how long is a scan, how soon is the market warm?',
    cases: ['warm', 'scan', 'latency', 'processor', 'rate'],
    measure: async (report, onlyCases) => (await import('./api.ts')).measureApi(report, onlyCases),
  },
  {
    name: 'stream',
    question:
      'How long is it from closed candles of 100 symbols and 3 intervals to the written events of their signals?',
    measure: async (report) => (await import('./stream.ts')).measureStream(report),
  },
  {
    name: 'first-start',
    question:
      'How soon after a first npm start is the record replayed, and does each signal of the first scan state a chance?',
    measure: async (report) => (await import('./firstStart.ts')).measureFirstStart(report),
  },
  {
    name: 'payments',
    question: 'How long is it from the notification of a finished payment to the new balance on the page of its owner?',
    measure: async (report) => (await import('./payments.ts')).measurePayments(report),
  },
  {
    name: 'arbitrage',
    question:
      'What does an arbitrage scan of 200 symbols on three exchanges cost: engine, API, order books; what does the sampler?',
    measure: async (report) => (await import('./arbitrage.ts')).measureArbitrage(report),
  },
  {
    name: 'help',
    question: 'How long does a search of the help take at 2,000 articles, and the assistant to find its passages?',
    measure: async (report) => (await import('./help.ts')).measureHelp(report),
  },
  {
    name: 'vision',
    question: 'What does reading a chart picture of 1,600 x 900 cost in time and memory, without and with its text?',
    measure: async (report) => (await import('./vision.ts')).measureVision(report),
  },
  {
    name: 'pool',
    question: 'What do two threads gain over one call in a search, and how much of a call is the kernel?',
    measure: async (report) => (await import('./pool.ts')).measurePool(report),
  },
  {
    name: 'sweep',
    question:
      'What do a pair of crossing averages in a sweep and a column of a formula cost, beside plain C and hand-written kernels?',
    prepare: async () => (await import('./sweep.ts')).prepareSweep(),
  },
  {
    name: 'engine',
    question: 'Is a changed engine faster than the present one, case by case, and are its results the same?',
    comparesEngines: true,
    prepare: async (files) => (await import('./engine.ts')).prepareEngine(files),
  },
  {
    name: 'rules-search',
    question: 'What does a set of rules cost in a search, beside a set of Classic, and how much of it is the kernel?',
    measure: async (report) => (await import('./rulesSearch.ts')).measureRulesSearch(report),
  },
  {
    name: 'lab',
    question:
      'How fast is the backtest lab in Chromium: results painted, frames drawn in time, sets a second beside Node?',
    cases: ['opening', 'search', 'node', 'deep', 'deep-rules', 'slider', 'pan'],
    measure: async (report, onlyCases) => (await import('./lab.ts')).measureLab(report, onlyCases),
  },
  {
    name: 'charts',
    question: 'How fast are the charts in Chromium, beside lightweight-charts and klinecharts, and with 200 drawings?',
    measure: async (report) => (await import('./charts.ts')).measureCharts(report),
  },
];
