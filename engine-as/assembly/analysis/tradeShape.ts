import {
  ANALYSIS_AVERAGE_LOSS,
  ANALYSIS_AVERAGE_WIN,
  ANALYSIS_BEST_TRADE,
  ANALYSIS_CANDLES_LOST,
  ANALYSIS_CANDLES_WON,
  ANALYSIS_EXPECTANCY_RATIO,
  ANALYSIS_KELLY,
  ANALYSIS_LOSSES_IN_A_ROW,
  ANALYSIS_MEAN_P_VALUE,
  ANALYSIS_PAYOFF,
  ANALYSIS_SQN,
  ANALYSIS_TRADES_MIN,
  ANALYSIS_WINS_IN_A_ROW,
  ANALYSIS_WIN_RATE_LONG,
  ANALYSIS_WIN_RATE_SHORT,
  ANALYSIS_WORST_TRADE,
} from '../../abi/analysis';
import { TRADE_ENTRY_INDEX, TRADE_EXIT_INDEX, TRADE_LENGTH, TRADE_NET_PNL, TRADE_SIDE } from '../../abi/backtest';
import { addressOf, at, put } from '../series';
import { studentTail } from './studentT';

const tradeAt = (trades: usize, i: i32): usize => addressOf(trades, i * TRADE_LENGTH);
const netOf = (trades: usize, i: i32): f64 => at(tradeAt(trades, i), TRADE_NET_PNL);

/** Figures of the closed trades, in trade order. A trade that ends at exactly 0 is neither won nor lost. */
export function tradeFigures(trades: usize, count: i32, out: usize): void {
  sides(trades, count, out);
  streaks(trades, count, out);
  winnersAndLosers(trades, count, out);
  if (count >= ANALYSIS_TRADES_MIN) inference(trades, count, out);
}

function sides(trades: usize, count: i32, out: usize): void {
  let longs = 0;
  let wonLongs = 0;
  let wonShorts = 0;
  for (let i = 0; i < count; i++) {
    const isWon = netOf(trades, i) > 0;
    if (at(tradeAt(trades, i), TRADE_SIDE) > 0) {
      longs++;
      if (isWon) wonLongs++;
    } else if (isWon) wonShorts++;
  }
  if (longs > 0) put(out, ANALYSIS_WIN_RATE_LONG, <f64>wonLongs / <f64>longs);
  if (count > longs) put(out, ANALYSIS_WIN_RATE_SHORT, <f64>wonShorts / <f64>(count - longs));
}

function streaks(trades: usize, count: i32, out: usize): void {
  let wins = 0;
  let losses = 0;
  let mostWins = 0;
  let mostLosses = 0;
  let best: f64 = -Infinity;
  let worst: f64 = Infinity;
  for (let i = 0; i < count; i++) {
    const net = netOf(trades, i);
    wins = net > 0 ? wins + 1 : 0;
    losses = net < 0 ? losses + 1 : 0;
    mostWins = max(mostWins, wins);
    mostLosses = max(mostLosses, losses);
    best = Math.max(best, net);
    worst = Math.min(worst, net);
  }
  put(out, ANALYSIS_WINS_IN_A_ROW, <f64>mostWins);
  put(out, ANALYSIS_LOSSES_IN_A_ROW, <f64>mostLosses);
  if (count > 0) put(out, ANALYSIS_BEST_TRADE, best);
  if (count > 0) put(out, ANALYSIS_WORST_TRADE, worst);
}

function winnersAndLosers(trades: usize, count: i32, out: usize): void {
  let won = 0;
  let lost = 0;
  let gain: f64 = 0;
  let loss: f64 = 0;
  let wonBars: f64 = 0;
  let lostBars: f64 = 0;
  for (let i = 0; i < count; i++) {
    const trade = tradeAt(trades, i);
    const net = at(trade, TRADE_NET_PNL);
    const bars = at(trade, TRADE_EXIT_INDEX) - at(trade, TRADE_ENTRY_INDEX);
    if (net > 0) {
      won++;
      gain += net;
      wonBars += bars;
    } else if (net < 0) {
      lost++;
      loss -= net;
      lostBars += bars;
    }
  }
  if (won > 0) put(out, ANALYSIS_AVERAGE_WIN, gain / <f64>won);
  if (won > 0) put(out, ANALYSIS_CANDLES_WON, wonBars / <f64>won);
  if (lost === 0) return;
  const averageLoss = loss / <f64>lost;
  put(out, ANALYSIS_AVERAGE_LOSS, -averageLoss);
  put(out, ANALYSIS_CANDLES_LOST, lostBars / <f64>lost);
  put(out, ANALYSIS_EXPECTANCY_RATIO, (gain - loss) / <f64>count / averageLoss);
  if (won === 0) return;
  const payoff = gain / <f64>won / averageLoss;
  put(out, ANALYSIS_PAYOFF, payoff);
  const winRate = <f64>won / <f64>count;
  if (count >= ANALYSIS_TRADES_MIN) put(out, ANALYSIS_KELLY, winRate - (1 - winRate) / payoff);
}

/** Whether the mean trade differs from nothing, as if the trades were independent and this the only strategy ever tried. */
function inference(trades: usize, count: i32, out: usize): void {
  let sum: f64 = 0;
  for (let i = 0; i < count; i++) sum += netOf(trades, i);
  const mean = sum / <f64>count;
  let squares: f64 = 0;
  for (let i = 0; i < count; i++) squares += (netOf(trades, i) - mean) * (netOf(trades, i) - mean);
  const deviation = Math.sqrt(squares / <f64>(count - 1));
  // Equal trades leave only the rounding of their mean.
  if (!(deviation > Math.abs(mean) * 1e-12)) return;
  const t = (mean / deviation) * Math.sqrt(<f64>count);
  put(out, ANALYSIS_SQN, t);
  put(out, ANALYSIS_MEAN_P_VALUE, studentTail(t, count - 1));
}
