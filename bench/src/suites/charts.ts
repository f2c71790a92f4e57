import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import { build } from 'vite';
import { chromiumLaunch } from '../../../browser.ts';
import { chartMakers } from '../charts/protocol.ts';
import { lineOf } from '../lab/figures.ts';
import { type ResultLine, rounded } from '../results.ts';
import { median, medianInterval, quantile } from '../statistics.ts';

const CANDLES = 100_000;
const DRAWINGS = 200;
const FRAMES = 120;
const REPEATS = Number(process.env['CHART_REPEATS'] ?? 7);
const FRAME_MS = 1000 / 60;

const root = join(import.meta.dirname, '../../..');

type Report = (line: ResultLine) => void;

const notes = [
  `One Chromium of this repository, headless, without the limit of 60 frames, in a page of 1,280 x 720; ${CANDLES.toLocaleString('en-US')} candles of a random walk.`,
  'first draw: from the call with the candles to the end of the first frame; ours draws the volume too, lightweight-charts gets none. Each library takes the candles in its own form; making the objects of the rivals is part of it.',
  'frame: from one frame to the next while 500 candles in sight move, 120 frames; the libraries by their own call, ours by wheel events.',
  `dragged, moved: ${DRAWINGS} drawings over all candles, one follows the pointer; then the view of two thirds of the candles moves. The goal is ${FRAME_MS.toFixed(1)} ms of processor.`,
  'processor: time of the page and of all processes of the browser, by its own account, divided by the frames; it does not depend on what else the machine does.',
  'ratio: median over pairs of theirs over ours, measured in turn in one page.',
];

/** The page of the charts as one script, with the styles of its charts. */
async function buildPage(folder: string): Promise<{ script: string; styles: string }> {
  await build({
    root: join(root, 'bench'),
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: folder,
      lib: {
        entry: join(root, 'bench/src/charts/page.ts'),
        formats: ['iife'],
        name: 'charts',
        fileName: 'page',
        cssFileName: 'page',
      },
    },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const read = (path: string) => readFile(path, 'utf8');
  const parts = [
    join(root, 'web/src/styles/tokens.css'),
    join(root, 'web/src/styles/controls.css'),
    join(folder, 'page.css'),
  ];
  const styles = await Promise.all(parts.map(read));
  return { script: await read(join(folder, 'page.iife.js')), styles: styles.join('\n') };
}

async function openPage(folder: string): Promise<{ page: Page; session: CDPSession; close: () => Promise<void> }> {
  const { script, styles } = await buildPage(folder);
  const launch = await chromiumLaunch();
  const args = [...launch.args, '--disable-frame-rate-limit', '--disable-gpu-vsync'];
  const browser = await chromium.launch({ ...launch, args });
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, locale: 'en-US' });
  // A secure origin: elsewhere a browser denies storage and random ids.
  await page.route('http://localhost/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><html data-theme="dark"><body></body></html>' }),
  );
  await page.goto('http://localhost/');
  await page.addStyleTag({ content: styles });
  await page.addScriptTag({ content: script });
  return { page, session: await browser.newBrowserCDPSession(), close: () => browser.close() };
}

/** Processor time so far, milliseconds: of the processes that draw pages, and of all of the browser. */
async function processorMs(session: CDPSession): Promise<{ pages: number; all: number }> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const sumOf = (processes: typeof processInfo) => processes.reduce((sum, { cpuTime }) => sum + cpuTime, 0) * 1000;
  return { pages: sumOf(processInfo.filter(({ type }) => type === 'renderer')), all: sumOf(processInfo) };
}

/** Frame times with the processor time of a frame. */
async function measureFrames(
  session: CDPSession,
  frames: () => Promise<number[]>,
): Promise<{ times: number[]; pageMs: number; allMs: number }> {
  const before = await processorMs(session);
  const times = await frames();
  const after = await processorMs(session);
  const each = (from: number, to: number) => (to - from) / times.length;
  return { times, pageMs: each(before.pages, after.pages), allMs: each(before.all, after.all) };
}

const ofSuite = (line: ResultLine): ResultLine => ({ ...line, suite: 'charts' });

/** The ratios of a case: theirs over ours, pair by pair. */
function ratioLines(
  name: string,
  ours: readonly number[],
  theirs: ReadonlyMap<string, readonly number[]>,
): ResultLine[] {
  return [...theirs].map(([against, values]) => {
    const ratios = values.map((value, at) => value / (ours[at] ?? NaN));
    const ratio = median(ratios);
    const { low, high } = medianInterval(ratios);
    const margin = rounded((high - low) / 2 / ratio);
    return {
      suite: 'charts',
      case: name,
      figure: rounded(median(ours)),
      unit: 'ms',
      against,
      ratio: rounded(ratio),
      margin,
    };
  });
}

/** The product's chart beside two libraries, and its drawings, each repeated in turn. */
export async function measureCharts(report: Report) {
  const folder = await mkdtemp(join(tmpdir(), 'sextant-charts-'));
  const lines: ResultLine[] = [];
  const add = (line: ResultLine) => {
    lines.push(line);
    report(line);
  };
  const { page, session, close } = await openPage(folder);
  try {
    const first = new Map<string, number[]>();
    const frames = new Map<string, number[]>();
    // The first round fills the caches of the browser.
    for (let round = -1; round < REPEATS; round++) {
      for (const maker of round % 2 === 0 ? chartMakers : chartMakers.toReversed()) {
        const measured = await page.evaluate(
          ([who, count, frameCount]) => window.measureChart(who, count, frameCount),
          [maker, CANDLES, FRAMES] as const,
        );
        if (round < 0) continue;
        first.set(maker, [...(first.get(maker) ?? []), measured.firstMs]);
        frames.set(maker, [...(frames.get(maker) ?? []), median(measured.times)]);
      }
    }
    for (const [name, values] of [
      ['first draw', first],
      ['frame', frames],
    ] as const) {
      const { sextant = [], ...others } = Object.fromEntries(values);
      for (const line of ratioLines(name, sextant, new Map(Object.entries(others)))) add(line);
    }
    await page.evaluate(([count, drawings]) => window.openDrawings(count, drawings), [CANDLES, DRAWINGS] as const);
    const dragged = await measureFrames(session, () => page.evaluate((count) => window.dragFrames(count), FRAMES * 3));
    const moved = await measureFrames(session, () => page.evaluate((count) => window.panFrames(count), FRAMES));
    if (!(await page.evaluate(() => window.closeDrawings())))
      add({ suite: 'charts', case: 'dragged', mismatch: 'no drawing was moved' });
    for (const [what, { times, pageMs, allMs }] of [
      ['one is dragged', dragged],
      ['the view moves', moved],
    ] as const) {
      const name = `${DRAWINGS} drawings, frame while ${what}`;
      add(ofSuite(lineOf(name, 'ms', times)));
      const line = (of: string, value: number) =>
        add({ suite: 'charts', case: `${name}, ${of}`, figure: rounded(value), unit: 'ms' });
      line('95 % below', quantile(times, 0.95));
      line('processor of the page', pageMs);
      line('processor of the browser', allMs);
    }
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
  return { lines, notes };
}
