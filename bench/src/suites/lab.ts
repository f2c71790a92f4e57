import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { createEnginePool } from '@sextant/workers/src/node/pool.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type { OptimizeInput } from '@sextant/workers/src/protocol/optimize.ts';
import { defaultCosts } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { searchOnPool } from '@sextant/workers/src/tasks/optimize/onPool.ts';
import { sampleCsv } from '../../../web/e2e/support/sampleCsv.ts';
import { parseCandleFile } from '@sextant/workers/src/candles/file/parseCandleFile.ts';
import { defaultParams } from '../../../web/src/features/backtest/params.ts';
import { drawnFrames, firstFrom, frameRate, lineOf, longestTask, reportedTask, worstLine } from '../lab/figures.ts';
import {
  chooseStrategy,
  fillSearch,
  type LabPage,
  openCandles,
  openLabPage,
  resultHash,
  searchOnce,
  untilJudged,
} from '../lab/page.ts';
import { type Opening, openCold } from '../lab/opening.ts';
import { PROBE_MS } from '../lab/probe.ts';
import { startLabProduct } from '../lab/product.ts';
import { ratioOf, type ResultLine, rounded } from '../results.ts';
import { median } from '../statistics.ts';

const CANDLE_SEED = 20_240_101;
const SETTLE_MS = 300;
const MANY_CANDLES = 100_000;
const TWELVE_YEARS_S = 12 * 365 * 86_400;
const SCORED = 500;

/** How often each measurement is made. */
const REPEATS = Number(process.env['LAB_REPEATS'] ?? 12);
const DEEP_REPEATS = Number(process.env['LAB_REPEATS'] ?? 10);

type Report = (line: ResultLine) => void;
type Add = (...lines: ResultLine[]) => void;

const measurements: Record<string, (lab: LabPage, add: Add) => Promise<void>> = {
  opening: measureOpening,
  search: measureSearch,
  node: measureBesideNode,
  deep: (lab, add) => measureDeepSearch(lab, add, 'Classic'),
  'deep-rules': (lab, add) => measureDeepSearch(lab, add, 'Live rules'),
  slider: measureSlider,
  pan: measurePan,
};

const notes = [
  'Chromium of this repository, headless, 1440 x 900, on the built product with its simulated services, all on this machine; candles from a file.',
  'opening: from the start of the navigation to the first frame that has it, for a user with a session in a browser without any file of the product.',
  "first paint: from the browser's stamp of the click to the end of the first frame that shows best set and all sets. drawn: from the stamp of the key to the end of the chart's drawing.",
  `longest task: the longest time a timer of ${PROBE_MS} ms had to wait, or a long task the browser reports, from the click until the honesty figures are there, of a deep search until it is stored. Other programs of the machine are in it, and its stalls; processor time has neither.`,
  'goals: first paint 150 ms, longest task 50 ms, 30 frames per second, slider 16 ms, sets a second in the page 0.9 of Node.',
];

/** Each measurement uses a new page, so that none depends on an earlier one. */
export async function measureLab(report: Report, onlyCases: readonly string[]) {
  const lines: ResultLine[] = [];
  const add: Add = (...more) => {
    lines.push(...more);
    more.forEach(report);
  };
  const product = await startLabProduct();
  try {
    for (const [name, measure] of Object.entries(measurements)) {
      if (onlyCases.length > 0 && !onlyCases.includes(name)) continue;
      const lab = await openLabPage(product.baseUrl);
      try {
        await measure(lab, add);
      } finally {
        await lab.close();
      }
    }
  } finally {
    await product.stop();
  }
  return { lines, notes };
}

/** 1,000 sets, refined and walked forward: the first search of a visit, and those after it. */
async function measureSearch(lab: LabPage, add: Add): Promise<void> {
  await openCandles(lab, sampleCsv(CANDLE_SEED, 1200));
  await untilJudged(lab);
  const [first, later, tasks, reported]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let seed = 1; seed <= REPEATS; seed++) {
    if (seed > 1) await reopen(lab);
    await fillSearch(lab, { samples: 1000, seed });
    first.push((await searchOnce(lab, seed)).firstPaintMs);
    await untilJudged(lab);
    const again = seed + 1000;
    await fillSearch(lab, { samples: 1000, seed: again });
    const { firstPaintMs, clickedAt } = await searchOnce(lab, again);
    later.push(firstPaintMs);
    const to = (await untilJudged(lab)) + SETTLE_MS;
    await lab.page.waitForTimeout(SETTLE_MS);
    const seen = await lab.seen();
    tasks.push(longestTask(seen, { from: clickedAt, to }, PROBE_MS));
    reported.push(reportedTask(seen.longTasks, { from: clickedAt, to }));
  }
  const what = '1,000 sets x 1,200 candles';
  add(lineOf(`${what}, first of a visit, first paint`, 'ms', first));
  add(worstLine(`${what}, first of a visit, first paint`, 'ms', first));
  add(lineOf(`${what}, first paint`, 'ms', later), worstLine(`${what}, first paint`, 'ms', later));
  add(lineOf(`${what}, longest task`, 'ms', tasks), worstLine(`${what}, longest task`, 'ms', tasks));
  add(worstLine(`${what}, longest task the browser reports (0: none of 50 ms)`, 'ms', reported));
}

/** Reloads the page, which restores the last run. */
async function reopen(lab: LabPage): Promise<void> {
  await lab.page.reload();
  await lab.page.getByText('Backtest restored').waitFor({ timeout: 30_000 });
  await untilJudged(lab);
}

/** A second after a search is on screen the page keeps it: its longest task may be there. */
const RETENTION_MS = 1800;

/** 100,000 sets and as many refined ones, of Classic or of rules; every search once more with a record of its tasks. */
async function measureDeepSearch(lab: LabPage, add: Add, strategy: 'Classic' | 'Live rules'): Promise<void> {
  await openCandles(lab, sampleCsv(CANDLE_SEED, 1200));
  if (strategy !== 'Classic') await chooseStrategy(lab, strategy);
  const [rates, tasks, paints, processor]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let seed = 1; seed <= DEEP_REPEATS; seed++) {
    await fillSearch(lab, { samples: 100_000, seed, isDeep: true });
    const { clickedAt, paintedAt } = await searchOnce(lab, seed);
    await lab.page.waitForTimeout(RETENTION_MS);
    const seen = await lab.seen();
    const span = { from: clickedAt, to: paintedAt };
    rates.push(frameRate(seen.frames, span));
    tasks.push(longestTask(seen, { from: clickedAt, to: paintedAt + RETENTION_MS }, PROBE_MS));
    paints.push(paintedAt - clickedAt);
    await fillSearch(lab, { samples: 100_000, seed: seed + DEEP_REPEATS, isDeep: true });
    const endRecord = await lab.recordTasks();
    await searchOnce(lab, seed + DEEP_REPEATS);
    await lab.page.waitForTimeout(RETENTION_MS);
    processor.push(await endRecord());
  }
  const what = strategy === 'Classic' ? 'deep search of 100,000 sets' : 'deep search of 100,000 sets of rules';
  add(lineOf(`${what}, frames while it runs`, '1/s', rates), lineOf(`${what}, longest task`, 'ms', tasks));
  add(worstLine(`${what}, longest task`, 'ms', tasks));
  const processorTime = `${what}, processor time of the longest task`;
  add(lineOf(processorTime, 'ms', processor), worstLine(processorTime, 'ms', processor));
  add(lineOf(`${what}, first paint`, 'ms', paints));
}

const NODE_SAMPLES = 20_000;

/** The same searches in the page and in this process, in turn: as many threads, the same chunks, the same bits. */
async function measureBesideNode(lab: LabPage, add: Add): Promise<void> {
  const csv = sampleCsv(CANDLE_SEED, 1200);
  await openCandles(lab, csv);
  const threads = await lab.page.evaluate(() => Math.max(2, navigator.hardwareConcurrency - 1));
  const pool = createEnginePool({ engine: await loadModule(), threads, queueMax: 100, deadlineMs: 120_000 });
  const inNode = (seed: number) => searchInNode(pool, csv, seed);
  await inNode(0);
  const [browser, node, ratios]: [number[], number[], number[]] = [[], [], []];
  for (let seed = 1; seed <= REPEATS; seed++) {
    await fillSearch(lab, { samples: NODE_SAMPLES, seed, isDeep: true, walkForward: 'Off' });
    const before = seed % 2 === 0 ? await inNode(seed) : undefined;
    const { tookMs } = await searchOnce(lab, seed);
    await lab.page.getByRole('button', { name: 'Apply the best set' }).click();
    const here = await resultHash(lab);
    // The next search starts at the same set again, as the one in Node does.
    await lab.page.getByRole('button', { name: 'Back to my set' }).click();
    await untilJudged(lab);
    const there = before ?? (await inNode(seed));
    if (there.resultHash !== here)
      add({ suite: 'lab', case: 'sets a second', mismatch: `seed ${seed}: ${here} is not ${there.resultHash}` });
    browser.push((there.trialCount / tookMs) * 1000);
    node.push((there.trialCount / there.tookMs) * 1000);
    ratios.push(there.tookMs / tookMs);
  }
  await pool.close();
  const shared = { suite: 'lab', unit: '1/s' };
  add({
    ...shared,
    case: 'sets a second, browser',
    figure: rounded(median(browser)),
    against: 'node',
    ...ratioOf(ratios),
  });
  add({ ...shared, case: 'sets a second, Node', figure: rounded(median(node)) });
}

async function searchInNode(pool: EnginePool, csv: string, seed: number) {
  const parsed = parseCandleFile(csv, Date.now());
  if (!parsed.ok) throw new Error('the candles of the bench cannot be read');
  const input: OptimizeInput = {
    candles: parsed.value.candles,
    params: defaultParams(),
    costs: defaultCosts,
    scoredCount: SCORED,
    samples: NODE_SAMPLES,
    seed,
    target: 'pnl',
    trainOn: 'earlier',
    refine: true,
  };
  const startedAt = performance.now();
  const { last } = await searchOnPool(pool, input, { signal: new AbortController().signal });
  const tookMs = performance.now() - startedAt;
  return { tookMs, trialCount: last.trialCount, resultHash: last.best?.scored.hashes.result ?? '' };
}

async function measureOpening({ page }: LabPage, add: Add): Promise<void> {
  const openings: Opening[] = [];
  for (let n = 0; n < REPEATS; n++) openings.push(await openCold(page));
  const timesOf = (mark: keyof Opening): number[] => openings.map((opening) => opening[mark]);
  add(lineOf('opening to the bar with the tabs', 'ms', timesOf('bar')));
  add(lineOf('opening to the dashboard', 'ms', timesOf('tab')));
  add(lineOf('opening to its chart', 'ms', timesOf('chart')));
}

const SLIDER_STEPS = 40;

/** One key on a slider at a time, the next one after the chart has followed. */
async function measureSlider(lab: LabPage, add: Add): Promise<void> {
  await openCandles(lab, sampleCsv(CANDLE_SEED, 1200));
  await untilJudged(lab);
  await lab.page.getByRole('tab', { name: 'Strategy Parameters' }).click();
  await lab.page.getByRole('slider', { name: 'Stop loss' }).focus();
  const [drawn, shown, tasks]: [number[], number[], number[]] = [[], [], []];
  for (let step = 0; step < SLIDER_STEPS; step++) {
    await lab.reset();
    await lab.page.keyboard.press(step % 8 < 4 ? 'ArrowRight' : 'ArrowLeft');
    await lab.page.waitForTimeout(200);
    const seen = await lab.seen();
    const pressedAt = firstFrom(seen.keys, 0);
    const drawnAt = lastOfBurst(seen.chartDraws, pressedAt);
    drawn.push(drawnAt - pressedAt);
    shown.push(firstFrom(seen.frames, drawnAt) - pressedAt);
    tasks.push(longestTask(seen, { from: pressedAt, to: drawnAt + 100 }, PROBE_MS));
  }
  add(lineOf('slider to chart drawn', 'ms', drawn), worstLine('slider to chart drawn', 'ms', drawn));
  add(lineOf('slider to the frame after it', 'ms', shown), worstLine('slider to the frame after it', 'ms', shown));
  add(lineOf('slider, longest task', 'ms', tasks));
}

/** The panes are drawn one after the other: the last of them that follow each other within a frame. */
function lastOfBurst(draws: readonly number[], at: number): number {
  let last = firstFrom(draws, at);
  for (const draw of draws) if (draw > last && draw - last < 16) last = draw;
  return last;
}

const DRAGS = 10;
const DRAG_STEPS = 60;

/** 100,000 candles, all scored; dragged to and fro with half of them in sight, and with few. */
async function measurePan(lab: LabPage, add: Add): Promise<void> {
  await openCandles(lab, oldAndShort(sampleCsv(CANDLE_SEED, MANY_CANDLES)));
  await lab.page.getByText('All scored').click();
  await untilJudged(lab);
  const pane = lab.page.locator('.chart-pane').first();
  await pane.scrollIntoViewIfNeeded();
  const box = await pane.boundingBox();
  if (box === null) throw new Error('there is no chart');
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  for (const [inSight, wheels] of [
    ['half of them in sight', 5],
    ['a fiftieth in sight', 20],
  ] as const) {
    await lab.page.mouse.move(at.x, at.y);
    for (let turn = 0; turn < wheels; turn++) await lab.page.mouse.wheel(0, -80);
    await lab.page.waitForTimeout(500);
    const [rates, tasks]: [number[], number[]] = [[], []];
    for (let drag = 0; drag < DRAGS; drag++) {
      const { rate, task } = await dragOnce(lab, at, drag % 2 === 0 ? 400 : -400);
      rates.push(rate);
      tasks.push(task);
    }
    add(lineOf(`100,000 candles dragged, ${inSight}, frames drawn`, '1/s', rates));
    add(lineOf(`100,000 candles dragged, ${inSight}, longest task`, 'ms', tasks));
    add(worstLine(`100,000 candles dragged, ${inSight}, longest task`, 'ms', tasks));
  }
}

async function dragOnce({ page, reset, seen }: LabPage, at: { x: number; y: number }, byPx: number) {
  await page.mouse.move(at.x - byPx / 2, at.y);
  await page.mouse.down();
  await reset();
  await page.mouse.move(at.x + byPx / 2, at.y, { steps: DRAG_STEPS });
  const { frames, chartDraws, ...rest } = await seen();
  await page.mouse.up();
  const span = { from: chartDraws[0] ?? NaN, to: chartDraws.at(-1) ?? NaN };
  const rate = frameRate(drawnFrames(frames, chartDraws), span);
  return { rate, task: longestTask({ ...rest, frames, chartDraws }, span, PROBE_MS) };
}

/** The same candles, starting so early that none lies in the future, with fewer digits: a file may have five megabytes. */
function oldAndShort(csv: string): string {
  const [head = '', ...rows] = csv.trim().split('\n');
  const written = rows.map((row) => {
    const [timeMs, ...cells] = row.split(',');
    const volume = Math.round(Number(cells.pop()));
    return [Number(timeMs) / 1000 - TWELVE_YEARS_S, ...cells, volume].join(',');
  });
  return [head, ...written].join('\n');
}
