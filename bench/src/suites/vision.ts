import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { drawChart } from '@sextant/workers/test/vision/drawChart.ts';
import { imageOf, randomCandles, seeded } from '@sextant/workers/test/vision/measure.ts';
import { chartStyles } from '@sextant/workers/test/vision/styles.ts';
import { z } from 'zod';
import { type ResultLine, rounded } from '../results.ts';
import { median } from '../statistics.ts';

const Times = z.object({ ms: z.array(z.number()), cpuMs: z.array(z.number()) });
const ResponseBody = z.object({ shapes: Times, shapesMib: z.number(), text: Times, textMib: z.number() });
const child = fileURLToPath(new URL('../vision/readChild.ts', import.meta.url));

/** One drawn chart of 1,600 x 900 with volume, averages and a last price, read in a separate process. */
export async function measureVision(
  report: (line: ResultLine) => void,
): Promise<{ lines: ResultLine[]; notes: string[] }> {
  const style = chartStyles.find(({ name }) => name === 'large');
  if (style === undefined) throw new Error('there is no style of 1,600 x 900');
  const chart = await drawChart(style, randomCandles(90, 60_000, seeded(21)), {
    format: 'png',
    quality: 100,
    scale: 1,
  });
  const image = await imageOf(chart.bytes);
  const folder = await mkdtemp(join(tmpdir(), 'sextant-bench-'));
  const lines: ResultLine[] = [];
  const add = (name: string, figure: number, unit: string): void => {
    const line = { suite: 'vision', case: name, figure: rounded(figure), unit };
    lines.push(line);
    report(line);
  };
  try {
    const path = join(folder, 'chart.rgba');
    await writeFile(path, image.rgba);
    const { stdout } = await promisify(execFile)(process.execPath, [
      child,
      path,
      String(image.width),
      String(image.height),
    ]);
    const { shapes, shapesMib, text, textMib } = ResponseBody.parse(JSON.parse(stdout));
    add('shapes, first', shapes.ms[0] ?? NaN, 'ms');
    add('shapes, median', median(shapes.ms), 'ms');
    add('shapes, processor time', median(shapes.cpuMs), 'ms');
    add('shapes, peak memory', shapesMib, 'MiB');
    add('with text, median', median(text.ms), 'ms');
    add('with text, processor time', median(text.cpuMs), 'ms');
    add('with text, peak memory', textMib, 'MiB');
  } finally {
    await rm(folder, { recursive: true });
  }
  return {
    lines,
    notes: [
      'shapes: from decoded pixels to candles; the goal is 250 ms and 300 MiB of the whole process.',
      'with text: the thread that reads characters is started and ended each time; the goal is 2.5 s.',
    ],
  };
}
