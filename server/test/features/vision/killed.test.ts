import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DrawnCandle, drawChart } from '../../../../workers/test/vision/drawChart.ts';
import { chartStyles } from '../../../../workers/test/vision/styles.ts';
import { createKillableService, type KillableService } from '../../support/killableService.ts';
import { strangeBars } from './support.ts';

/** More with `npm run test:statistics`. */
const killCount = Number(process.env['KILLS'] ?? 1);

let service: KillableService;
let picture: Uint8Array;
beforeAll(async () => {
  service = await createKillableService();
  const bars = strangeBars(80, 100, 5, 0.002);
  const candles = bars.close.map((close, i): DrawnCandle => ({
    open: bars.open[i]!,
    high: bars.high[i]!,
    low: bars.low[i]!,
    close,
    volume: 1,
  }));
  ({ bytes: picture } = await drawChart(chartStyles[0]!, candles, { format: 'png', quality: 100, scale: 1 }));
});
afterAll(() => service.close());

/** Sends the picture of a key until it is answered; a node that is not there is asked again. */
async function order(headers: Record<string, string>, key: string, ends: Map<string, number>): Promise<void> {
  if (ends.has(key)) return;
  const form = new FormData();
  form.append('image', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'chart.png');
  try {
    const sent = await fetch(`${service.node.url}/api/vision/analyze`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': key },
      body: form,
    });
    await sent.arrayBuffer();
    // Busy, still running, or the analysis of a killed node holds the one place of its user.
    if (![409, 503, 504].includes(sent.status)) ends.set(key, sent.status);
  } catch {
    // Killed under us: asked again when the next node listens.
  }
}

describe('a node that is killed during chart analyses', () => {
  it(
    `VIS-017 loses and doubles no credit, and leaves no analysis under way (${killCount} kills)`,
    async () => {
      await service.node.start();
      const { id, headers } = await service.addCustomer(killCount);
      const ends = new Map<string, number>();
      const keys: string[] = [];
      for (let round = 0; round < killCount; round++) {
        keys.push(`round-${round}`);
        const sent = order(headers, `round-${round}`, ends);
        await delay(Math.random() * 2500);
        await service.kill();
        await sent;
        await service.node.start();
      }
      // Analyses of killed nodes end when their hold has run out, and the next look of the ledger.
      await expect
        .poll(() => service.count(`from vision_analyses where status = 'running'`), { timeout: 120_000, interval: 500 })
        .toBe(0);
      await expect
        .poll(
          async () => {
            for (const key of keys) await order(headers, key, ends);
            return ends.size;
          },
          { timeout: 120_000, interval: 300 },
        )
        .toBe(keys.length);
      await service.node.kill();
      // One analysis for each key, however often it was sent.
      expect(await service.count('from vision_analyses')).toBe(keys.length);
      const charged = await service.count(`from vision_analyses where status = 'done'`);
      expect(await service.readLedger(id)).toEqual({ credits: 10 + killCount - charged, open: 0, violations: [] });
    },
    240_000 + killCount * 90_000,
  );
});
