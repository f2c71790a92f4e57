import { indicatorIds } from '@sextant/engine-as/abi/registry.ts';
import { voteIds } from '../protocol/wire/defaults.ts';

/** @param command how the reader calls it: `npx sextant` */
export const usageOf = (
  command: string,
): string => `Reads the JSON input of a task from standard input and prints its JSON result.

  ${command} indicators < input.json
    {"candles": {"time": [], "open": [], "high": [], "low": [], "close": [], "volume": []},
     "indicators": ["rsi", {"id": "ema", "period": 50, "as": "slow"}]}
    several of one id are named by their parameters: {"id": "sma", "period": 20} and 50 are named sma20 and sma50
  ${command} backtest < input.json
    {"candles": {...}, "params": {...}, "costs": {...}, "scored": 500}; params, costs and scored have defaults;
    the size of an order counts unless "impactCoefficient" and "turnoverShareMax" of "costs" are 0
    a strategy: "strategy" in place of "params", "context" with the candles of its longer intervals, "news"
    own rules: "rules" in place of "strategy", with "context" and "news": {"candles": {...}, "rules": "long when rsi(14) < 30"};
    "interval" is the step of the candles unless you send it; the language is in docs/rules.md
  ${command} portfolio < input.json
    {"strategy": {...}, "symbols": [{"symbol": "BTCUSDT", "candles": {...}, "costs": {...}}], "costs": {...}, "limits": {...}}:
    one account over many symbols; also "from" and "judge": docs/portfolio.md
    "search": {"samples": 200, "target": "pnl", "seed": 1, "ranges": {"positionsMax": {"min": 1, "max": 10}}} searches sets of the
    account and shows the best on candles it did not search; own rules have their ranges in the text; on all cores, or --threads N
  ${command} portfolio-sets < input.json
    the same without "judge", and "sets": [{"strategy": {"entryThreshold": 0.3}, "limits": {"positionsMax": 5}}, ...],
    of own rules "values": {"fast": 12}:
    figures of the account under each set; on all cores, or --threads N
  ${command} optimize < input.json
    {"candles": {...}, "params": {...}, "costs": {...}, "scored": 500, "optimize": {"samples": 50, "target": "pnl", "seed": 1}};
    also trainOn, refine, guide, space, walkForward, part and bestOfParts: docs/optimiser.md
    a strategy: "strategy", "context" and "news" as in backtest, ranges in "rulesSpace"
    own rules: "rules" with "interval", "context" and "news" as in backtest, ranges in the text: fast = 12 [5..50 step 1]
    on all cores, or --threads N, to the same bits; progress on standard error
    --sets FILE.csv, .jsonl or .npz: parameters and figures of every set; --resume FILE: continues a search that was stopped
  ${command} walk-forward < input.json
    the input of optimize: only its walk-forward, by "optimize.walkForward"
  ${command} monte-carlo < input.json
    the input of backtest, also "seed", "marketCount" (200) and "blockLength": the same rules on resampled markets
  ${command} detectable < input.json
    {"trialCount": 1000, "barCount": 5000, "barMs": 3600000, "goalAnnualSharpe": 1}: the smallest Sharpe ratio distinct from luck
  ${command} verify FILE [--keys FILE]
    runs a proof again and prints what agrees; --keys: the key file of the installation, /.well-known/sextant-proof-key.json
  ${command} scan < input.json
    {"series": [{"symbol": "BTCUSDT", "interval": "15m", "candles": {...}}], "weights": {...}}: last candle of each
  ${command} honesty < input.json
    {"search": {the input of optimize}} or {"returns": [[...], ...], "bestIndex": 0, "barMs": 900000}: docs/honesty.md
    this command keeps no counts: pass "earlierTrialCount", the sets tried before on the same candles, and, with "search",
    "earlierLookCount", the results seen before on the scored ones. Without them each search is judged as the first
  ${command} data-check < candles.csv
    any candle file, also in a ZIP archive, instead of JSON: the format that was read, rows, interval, gaps, overlaps, outliers,
    frozen and off-grid rows, and whether the lab reads it ("usable", "check", "unusable") with the reasons

Files in place of columns and text, for indicators (candles only), backtest, optimize, walk-forward and monte-carlo:
  ${command} backtest --candles BTCUSDT-1h.csv --rules cross.txt
  ${command} optimize --candles BTCUSDT-1h.csv --rules cross.txt --sets sets.csv < options.json
    options.json: {"optimize": {"samples": 100000}}; without standard input the defaults count
  ${command} verify BTCUSDT-1h-proof.json

The last rows of "candles" that have not closed, in UTC, are left out; standard error names them. A series that lies in the future as a
whole, such as a generated one, is run as it is; standard error says so. A value that is not defined yet is null. Bad input ends with one line on standard error and exit code 1.
Indicator ids: ${indicatorIds.join(', ')}
Vote ids (params.weights): ${voteIds.join(', ')}
`;
