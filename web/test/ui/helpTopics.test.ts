import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { costRows } from '@sextant/engine-as/abi/costParameters.ts';
import { honestyRegistry } from '@sextant/engine-as/abi/honesty.ts';
import { metricRegistry } from '@sextant/engine-as/abi/metrics.ts';
import { voteRegistry } from '@sextant/engine-as/abi/registry.ts';
import { runParameters } from '@sextant/engine-as/abi/runParameters.ts';
import { describe, expect, it } from 'vitest';
import openApi from '../../../server/openapi.json' with { type: 'json' };
import { formRows } from '../../src/features/backtest/params.ts';
import { helpTopics } from '../../src/ui/helpTopics.gen.ts';

const web = join(import.meta.dirname, '../../src');
const sources = globSync('**/*.{ts,tsx}', { cwd: web })
  .filter((path) => !path.endsWith('.gen.ts'))
  .map((path) => readFileSync(join(web, path), 'utf8'));

/** Fields that follow from the tables of run parameters and costs: sliders of Classic by id, those of rules by field. */
const fromTable: string[] = [
  ...formRows.map(({ id }) => id),
  ...costRows.flatMap(({ name, form }) => (form === undefined ? [] : [name])),
  ...Object.values(runParameters).flatMap((row) => ('slider' in row ? [row.field] : [])),
];

/** A form names the topic of a setting in full, or makes it of the key of a row; a field of a registry links its own. */
const isLinked = (id: string): boolean =>
  fromTable.includes(id) ||
  sources.some(
    (source) =>
      source.includes(`setting.${id}'`) ||
      source.includes(`setting.${id}"`) ||
      new RegExp(`<Setting(?:Field|Slider)\\s+id="${id}"`).test(source) ||
      (source.includes('`setting.${key}`') && (source.includes(`key: '${id}'`) || source.includes(`percent('${id}'`))),
  );

const schemas = (openApi as unknown as { components: { schemas: Record<string, { properties?: object }> } }).components
  .schemas;
const preferences = Object.keys(schemas['PreferencesRequestInput']?.properties ?? {});
/** The user's location, and a notice that was shown once. */
const noSettings = ['active_tab', 'current_page', 'auto_open_noticed'];
/** Chosen in the account menu, whose items need no help, or through the API only. */
const withoutForm = ['theme', 'palette', 'time_zone', 'risk_smoothing', 'risk_perf_lookback'];

describe('the links to the help', () => {
  it('exist for every metric, honesty figure and vote, with an article', () => {
    const ids = [
      ...metricRegistry.map(({ id }) => id),
      ...honestyRegistry.map(({ id }) => `honesty.${id}`),
      ...voteRegistry.map(({ id }) => `vote.${id}`),
    ];
    expect(ids.filter((id) => !Object.hasOwn(helpTopics, id))).toEqual([]);
    for (const target of Object.values(helpTopics)) expect(target).toMatch(/^[a-z0-9-]{1,55}(#[a-z0-9-]+)?$/);
  });

  it('stand beside every setting of the account', () => {
    expect(preferences.length).toBeGreaterThan(40);
    const settings = preferences.filter((id) => ![...noSettings, ...withoutForm].includes(id));
    expect(settings.filter((id) => !Object.hasOwn(helpTopics, `setting.${id}`))).toEqual([]);
    expect(settings.filter((id) => !isLinked(id))).toEqual([]);
  });

  it('lead from somewhere: no setting is explained that no form has', () => {
    const explained = Object.keys(helpTopics).flatMap((topic) => /^setting\.(.*)$/.exec(topic)?.[1] ?? []);
    expect(explained.filter((id) => !withoutForm.includes(id) && !isLinked(id))).toEqual([]);
  });
});
