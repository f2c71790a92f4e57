import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const script = join(import.meta.dirname, 'support/withMadeUpParameter.ts');

it('a run parameter or cost that is added to its table and to the rules of the engine is everywhere', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script], { cwd: root });
  const off = { mode: 'percent', callbackFraction: 0.005, stepFraction: 0.0025, atrMultiple: 2, activationFraction: 0 };
  const trailing = { enabled: true, callbackFraction: 0.005, stepFraction: 0.0025, madeUpFraction: 0.1 };
  const sent = { enabled: true, callbackPct: 0.005, stepPct: 0.0025, madeUpPct: 0.1 };
  expect(JSON.parse(stdout)).toEqual({
    strategy: { ...off, madeUpFraction: 0.1 },
    rejected: ['trailing.madeUpFraction'],
    isSameVersion: true,
    isNamedInVersion: true,
    isAbsentFromVersion: true,
    params: trailing,
    sent,
    rejectedParams: ['trailing.madeUpPct'],
    slots: { classic: 0.1, default: 0, strategy: 0.2, position: 0.3 },
    checked: ['params.trailing.madeUpFraction', 'strategy.trailing.madeUpFraction', 'position.trailing.madeUpFraction'],
    asRules: { ...off, madeUpFraction: 0.1 },
    form: { label: 'Made up', unit: '%', min: 0, max: 25, step: 0.1, decimals: 2, default: 0 },
    saved: sent,
    opened: trailing,
    cost: {
      default: 0.001,
      costs: 0.2,
      rejected: ['madeUpFraction'],
      checked: 'costs.madeUpFraction',
      slots: [0.2, 0.2],
      unit: 'fraction',
    },
    words: [['Made up', '0.1']],
  });
}, 300_000);

/** Beside the table: the language of own rules, and where a position's columns or settings become a trailing stop. */
const readers = [
  'engine-as/abi/runParameters.ts',
  'server/src/features/backtest/portfolio/autoAccount.ts',
  'server/src/features/positions/openPosition.ts',
  'server/src/features/positions/ownerChanges.ts',
  'web/src/features/positions/positionShapes.ts',
  'workers/src/rules/exits.ts',
];

it('a run parameter is named in the table and its few readers only', () => {
  const sources = globSync('{engine-as/abi,server/src,web/src,workers/src}/**/*.{ts,tsx}', { cwd: root });
  const naming = sources.filter(
    (path) => !path.endsWith('.gen.ts') && readFileSync(join(root, path), 'utf8').includes('activationFraction'),
  );
  expect(naming.sort()).toEqual(readers);
});
