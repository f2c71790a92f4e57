import { readFile } from 'node:fs/promises';
import { readChartPicture } from '@sextant/workers/src/node/readChartPicture.ts';

/** Reads one picture (raw bytes in a file) repeatedly in a separate process, so that its memory is measured alone. */
const [path = '', width = '', height = ''] = process.argv.slice(2);
const image = { width: Number(width), height: Number(height), rgba: new Uint8Array(await readFile(path)) };

interface Times {
  /** By the clock and of the processor, all threads. */
  ms: number[];
  cpuMs: number[];
}

async function timesOf(rounds: number, withText: boolean): Promise<Times> {
  const times: Times = { ms: [], cpuMs: [] };
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    const startedAt = performance.now();
    const reading = await readChartPicture(image, { withText });
    times.ms.push(performance.now() - startedAt);
    const { user, system } = process.cpuUsage(before);
    times.cpuMs.push((user + system) / 1000);
    if (reading.kind !== 'chart') throw new Error(`the picture was not read: ${reading.reason}`);
    if (withText && reading.prices === null) throw new Error(`no prices were read: ${reading.textFailure ?? 'labels'}`);
  }
  return times;
}

const MIB = 1024;
const shapes = await timesOf(11, false);
const shapesMib = process.resourceUsage().maxRSS / MIB;
const text = await timesOf(5, true);
process.stdout.write(JSON.stringify({ shapes, shapesMib, text, textMib: process.resourceUsage().maxRSS / MIB }));
