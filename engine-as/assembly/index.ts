export { signal } from './ensemble/signal';
export { ensembleParts, ensembleScore } from './ensemble/score';
export { effectiveVotes } from './ensemble/redundancy';
export { asOf } from './ensemble/asOf';
export { votes } from './votes/votes';
export { score } from './votes/score';
export { indicator } from './indicators/indicator';
export { arenaHighWater, arenaMark, arenaRelease, arenaReserve, arenaReset } from './memory';
export { equityBootstrap } from './honesty/bootstrap';
export { breakEvenFee, plateauScore, simulatedPValue } from './honesty/costs';
export { cscvBlocks, cscvOverfit } from './honesty/cscv';
export { cscvBand, shrinkSharpes } from './honesty/cscvBand';
export { expectedMaximum, expectedMaximumExact, maximumQuantile, minimumBacktestYears } from './honesty/luck';
export { moments, trialTable } from './honesty/moments';
export { normalCdf, normalQuantile } from './honesty/normal';
export {
  deflatedBenchmark,
  deflatedSharpe,
  minimumTrackRecord,
  probabilisticSharpe,
  sharpeStandardError,
} from './honesty/sharpe';
export { quantileOfSorted, sortAscending } from './honesty/sort';
export { randomDraw, randomUniforms } from './random/draw';
export { backtest } from './backtest/run';
export { formation } from './patterns/formation';
export { pattern } from './patterns/pattern';
export { analyse } from './analysis/analyse';
export { studentTail } from './analysis/studentT';
export { closePosition } from './simulate/close';
export {
  leverageMax,
  liquidationBinance,
  liquidationBybit,
  liquidationOkx,
  liquidationPrice,
} from './simulate/liquidation';
export { openPosition } from './simulate/open';
export { stepPosition } from './simulate/step';
export { moveStop } from './simulate/trailing';
export { sweepSets } from './rules/sweep';
export { sweepPrepare } from './rules/sweepPrepare';
export { ruleColumns, ruleSignals } from './rules/run';
export { optimizePrepare } from './optimize/market';
export { optimizeSamples, optimizeSets } from './optimize/evaluate';
export { mutateSet, sampleSet } from './optimize/sampling';
export { guideSets, mutateSets, sampleSets } from './optimize/generation';
export { neighbourSets } from './optimize/neighbours';
export { rulesPrepare } from './optimize/rulesMarket';
export { rulesSamples, rulesSets } from './optimize/rulesRun';
export { rulesScore } from './optimize/rulesScore';
export { randomEntries } from './optimize/randomEntry';
export { resampleCandles } from './honesty/resampleCandles';
export { bestByLuck } from './honesty/realityCheck';
export { lastVotes } from './scan/lastVotes';
export { accountFigures } from './portfolio/figures';
export { portfolioPrepare } from './portfolio/prepare';
export { portfolioRun } from './portfolio/run';
export { bestSpread, spreadAt } from './arbitrage/spread';
