import * as account from './features/account/contract.ts';
import * as alerts from './features/alerts/contract.ts';
import * as arbitrage from './features/arbitrage/contract.ts';
import * as api from './features/apiKeys/contract.ts';
import * as apiDocs from './features/apiDocs/contract.ts';
import * as auth from './features/auth/contract.ts';
import * as backtest from './features/backtest/contract.ts';
import * as backtestResultWire from '@sextant/workers/src/protocol/wire/backtestResult.ts';
import * as backtestLuck from './features/backtest/luck/contract.ts';
import * as backtestPortfolio from './features/backtest/portfolio/contract.ts';
import * as backtestPortfolioSearch from './features/backtest/portfolio/searchContract.ts';
import * as backtestRun from './features/backtest/runContract.ts';
import * as backtestSearch from './features/backtest/search/contract.ts';
import * as backtestShared from './features/backtest/shared/contract.ts';
import * as backtestWire from '@sextant/workers/src/protocol/wire/backtest.ts';
import * as candlesWire from '@sextant/workers/src/protocol/wire/candles.ts';
import * as charts from './features/charts/contract.ts';
import * as community from './features/community/contract.ts';
import * as costsWire from '@sextant/workers/src/protocol/wire/costs.ts';
import * as credits from './features/credits/contract.ts';
import * as events from './features/events/contract.ts';
import * as fieldSchemas from '@sextant/workers/src/protocol/wire/fieldSchemas.ts';
import * as guards from './features/guards/contract.ts';
import * as help from './features/help/contract.ts';
import * as health from './features/status/health/contract.ts';
import * as history from './features/history/contract.ts';
import * as honestyWire from '@sextant/workers/src/protocol/wire/honesty.ts';
import * as indicatorsWire from '@sextant/workers/src/protocol/wire/indicators.ts';
import * as journal from './features/journal/contract.ts';
import * as market from './features/market/contract.ts';
import * as marketIndicators from './features/market/indicatorContract.ts';
import * as measured from './features/status/measured/contract.ts';
import * as news from './features/news/contract.ts';
import * as notifications from './features/notifications/contract.ts';
import * as webhooks from './features/notifications/webhooks/contract.ts';
import * as optimizeWire from '@sextant/workers/src/protocol/wire/optimize.ts';
import * as push from './features/notifications/push/contract.ts';
import * as orders from './features/orders/contract.ts';
import * as payments from './features/payments/contract.ts';
import * as confidenceBasis from './features/signals/confidenceBasis.ts';
import * as performance from './features/trackRecord/contract.ts';
import * as positions from './features/positions/contract.ts';
import * as reconciliation from './features/positions/reconciliation/contract.ts';
import * as positioning from './features/positioning/contract.ts';
import * as portfolioResultWire from '@sextant/workers/src/protocol/wire/portfolioResult.ts';
import * as preferences from './features/preferences/contract.ts';
import * as problem from './platform/http/problem.ts';
import * as instant from './platform/instant.ts';
import * as rules from './features/rules/contract.ts';
import * as profile from './features/profile/contract.ts';
import * as sandbox from './features/sandbox/contract.ts';
import * as scan from './features/scan/contract.ts';
import * as scanAicheck from './features/scan/aicheck/contract.ts';
import * as scanAway from './features/scan/away/contract.ts';
import * as scanWire from '@sextant/workers/src/protocol/wire/scan.ts';
import * as signals from './features/signals/contract.ts';
import * as signalRules from './features/signals/rules.ts';
import * as strategyParamsWire from '@sextant/workers/src/protocol/wire/strategyParams.ts';
import * as strategies from './features/strategies/contract.ts';
import * as strategyWire from '@sextant/workers/src/protocol/wire/strategy.ts';
import * as status from './features/status/contract.ts';
import * as stream from './features/stream/contract.ts';
import * as tuning from './features/tuning/contract.ts';
import * as vision from './features/vision/contract.ts';
import * as watchlist from './features/watchlist/contract.ts';

/** The modules whose exported schemas the API document names. A test fails when a contract is missing here. */
export const contracts: readonly Record<string, unknown>[] = [
  account,
  alerts,
  arbitrage,
  api,
  apiDocs,
  auth,
  backtest,
  backtestLuck,
  backtestPortfolio,
  backtestPortfolioSearch,
  backtestRun,
  backtestSearch,
  backtestShared,
  charts,
  community,
  confidenceBasis,
  credits,
  events,
  guards,
  health,
  help,
  history,
  journal,
  market,
  marketIndicators,
  measured,
  news,
  notifications,
  orders,
  payments,
  performance,
  positioning,
  positions,
  reconciliation,
  preferences,
  profile,
  rules,
  scanAicheck,
  scanAway,
  sandbox,
  scan,
  signals,
  signalRules,
  status,
  stream,
  tuning,
  vision,
  watchlist,
  webhooks,
  problem,
  instant,
  push,
  backtestWire,
  backtestResultWire,
  candlesWire,
  costsWire,
  fieldSchemas,
  honestyWire,
  indicatorsWire,
  optimizeWire,
  portfolioResultWire,
  scanWire,
  strategyParamsWire,
  strategies,
  strategyWire,
];
