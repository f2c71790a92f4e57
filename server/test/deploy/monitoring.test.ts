import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queueAgeBoundsS, vitalLeaderships } from '../../src/features/status/doctor/bounds.ts';
import { createTestApp, type TestApp } from '../support/createTestApp.ts';
import { metricsIn, readAlerts, readDashboard, readRunbooks, readText, root } from './support/deployFiles.ts';

let test: TestApp;
/** Names of all samples that a node may send. */
let names: Set<string>;
beforeAll(async () => {
  test = await createTestApp();
  const stop = test.deps.metrics.start();
  const { body } = await test.deps.metrics.read();
  stop();
  names = new Set(
    [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
});
afterAll(() => test.close());

const unknownIn = (text: string): string[] => metricsIn(text).filter((name) => !names.has(name));
const promtool = spawnSync('promtool', ['--version']).status === 0;
const check = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('promtool', args, {
    cwd: join(root, 'deploy/prometheus'),
    encoding: 'utf8',
  });
  return { status, output: `${stdout}${stderr}` };
};

describe('alerts', () => {
  const alerts = readAlerts();

  it('NODE-071 name metrics that a node sends, and each has a severity, a text and a section of the runbooks', () => {
    const runbooks = readRunbooks();
    expect(alerts.length).toBeGreaterThan(30);
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    for (const { alert, expr, for: duration, labels, annotations } of alerts) {
      expect([alert, unknownIn(expr)]).toEqual([alert, []]);
      expect(alert === 'NodeDown' || metricsIn(expr).length > 0).toBe(true);
      expect(duration).toMatch(/^\d+[smh]$/);
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(annotations.summary.length).toBeGreaterThan(10);
      expect(annotations.description).toMatch(/\.$/);
      const [file, anchor = ''] = annotations.runbook.split('#');
      expect(file).toBe('docs/runbooks.md');
      expect([alert, runbooks.has(anchor)]).toEqual([alert, true]);
    }
  });

  it('NODE-071 have the bounds of the doctor for each queue, and its vital leaderships', () => {
    const boundOf = new Map(
      alerts.flatMap(({ expr }) => {
        const [, queues, bound] = /sextant_queue_age_seconds\{queue=~"([^"]+)"\}\) > (\d+)$/.exec(expr) ?? [];
        return (queues ?? '').split('|').flatMap((queue) => (queue === '' ? [] : [[queue, Number(bound)] as const]));
      }),
    );
    expect(Object.fromEntries(boundOf)).toEqual(queueAgeBoundsS);
    const vital = alerts.find(({ alert }) => alert === 'NoLeader');
    expect(vital?.expr).toContain(`name=~"${vitalLeaderships.join('|')}"`);
  });

  it('NODE-071 leave out only routes that exist', () => {
    const slow = alerts.find(({ alert }) => alert === 'ResponsesSlow')?.expr ?? '';
    const [, pattern = ''] = /route!~"\/api\/\(([^)]+)\)\|\/mcp"/.exec(slow) ?? [];
    const routes = Object.keys((JSON.parse(readText('server/openapi.json')) as { paths: object }).paths);
    expect(pattern).not.toBe('');
    for (const each of pattern.split('|')) {
      const whole = new RegExp(`^/api/${each}$`);
      expect([each, routes.some((route) => whole.test(route))]).toEqual([each, true]);
    }
  });

  it.skipIf(!promtool)('NODE-071 are accepted by promtool, and fire on the series of alerts.test.yaml', () => {
    expect(check('check', 'rules', 'alerts.yaml')).toMatchObject({ status: 0 });
    expect(check('check', 'config', 'prometheus.yaml')).toMatchObject({ status: 0 });
    const tested = check('test', 'rules', 'alerts.test.yaml');
    expect([tested.status, tested.output]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
});

describe('runbooks', () => {
  it('NODE-072 have a section for each problem of the doctor, and none that nothing names', () => {
    const runbooks = readRunbooks();
    const judges = ['judge.ts', 'judgeNode.ts'].map((name) => readText(`server/src/features/status/doctor/${name}`));
    const ofDoctor = judges.flatMap((text) =>
      [...text.matchAll(/(?:runbook: |\? )'([a-z-]+)'(?: : '([a-z-]+)')?/g)].flatMap(([, a, b]) => [a, b]),
    );
    const anchors = ofDoctor.filter((each): each is string => each?.includes('-') === true);
    for (const anchor of anchors) expect([anchor, runbooks.has(anchor)]).toEqual([anchor, true]);
    const named = new Set([...anchors, ...readAlerts().map(({ annotations }) => annotations.runbook.split('#')[1])]);
    expect([...runbooks.keys()].filter((anchor) => !named.has(anchor))).toEqual([]);
  });

  it('NODE-072 are at most a page each, say what it means, and name metrics that a node sends', () => {
    for (const [anchor, text] of readRunbooks()) {
      expect([anchor, text.startsWith('\n**Means.** ')]).toEqual([anchor, true]);
      expect(text.split(/\s+/).length).toBeLessThan(300);
      expect([anchor, unknownIn(text)]).toEqual([anchor, []]);
      for (const [, link = ''] of text.matchAll(/\]\(#([\w-]+)\)/g)) expect(readRunbooks().has(link)).toBe(true);
    }
  });

  it('NODE-072 have statements that the database takes', async () => {
    const statements = [...readText('docs/runbooks.md').matchAll(/`(select [^`]+)`/g)].map(([, text = '']) => text);
    const runnable = statements.filter((text) => !text.includes('PID'));
    expect(runnable.length).toBeGreaterThan(4);
    for (const statement of runnable) await test.database.asOwner(statement);
  });
});

describe('the dashboard', () => {
  it('NODE-073 names metrics that a node sends, in panels that do not overlap', () => {
    const { uid, panels } = readDashboard();
    expect(uid).toBe('sextant');
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { title, type, targets = [] } of panels) {
      if (type === 'row') continue;
      expect([title, targets.length > 0]).toEqual([title, true]);
      for (const { expr, legendFormat } of targets) {
        expect([expr, metricsIn(expr).length > 0, unknownIn(expr)]).toEqual([expr, true, []]);
        expect(legendFormat).not.toBe('');
      }
    }
    const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: h * w }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { w, x } }) => x + w <= 24)).toBe(true);
  });

  it('NODE-073 shows every metric of the product that needs an eye', () => {
    const shown = new Set([
      ...readDashboard().panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr))),
      ...readAlerts().flatMap(({ expr }) => metricsIn(expr)),
    ]);
    const own = [...names].filter((name) => name.startsWith('sextant_') && !/_(?:bucket|sum|count)$/.test(name));
    const unseen = own.filter((name) => ['', '_bucket', '_count'].every((suffix) => !shown.has(`${name}${suffix}`)));
    expect(unseen).toEqual([]);
  });
});
