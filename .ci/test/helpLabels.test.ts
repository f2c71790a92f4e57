import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { labelsOf, readShownTexts, unknownLabels } from '../helpLabels.ts';
import { shownTextsOf } from '../screenTexts.ts';
import { root } from '../steps.ts';

describe('labels that a help article quotes', () => {
  it('are its bold words, without starts of items, programs and stressed words', () =>
    expect(labelsOf('- **Body:** press **Run**, **not** later.\n\n```sh\n**Stop**\n```\n')).toEqual(['Run']));

  const texts = new Set([
    'Run Backtest',
    'Ranges{}',
    'Optimize {} sets',
    'Generate ({})',
    'Order size',
    'Ignored',
    'own',
  ]);
  it.each(['Run Backtest', 'Ranges', 'Optimize', 'Generate', 'Order size: Ignored'])('may be %s', (label) =>
    expect(unknownLabels(`Press **${label}**.`, texts)).toEqual([]),
  );
  it.each(['Run', 'run Backtest', 'Opti', 'Generate Signals', 'Order size: Off', 'own'])('may not be %s', (label) =>
    expect(unknownLabels(`Press **${label}**.`, texts)).toEqual([label]),
  );

  it('are texts of the page', () => {
    const code = 'const a = \'Off\'; const b = <p title="Help">Ranges{n} <b>of it</b></p>; const c = `Keep ${a}`;';
    expect(shownTextsOf('a.tsx', code).sort()).toEqual(['Help', 'Keep {}', 'Off', 'Ranges', 'Ranges{} {}', 'of it']);
  });

  it('exist on the screen with that spelling', () => {
    const shown = readShownTexts();
    const articles = globSync('docs/help/*.md', { cwd: root });
    expect(articles.length).toBeGreaterThan(40);
    const problems = articles.flatMap((path) =>
      unknownLabels(readFileSync(join(root, path), 'utf8'), shown).map((label) => `${path}: ${label}`),
    );
    expect(problems).toEqual([]);
  });
});
