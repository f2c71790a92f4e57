import {
  choiceSettings,
  hintOfSetting,
  type NumberSettingId,
  numberSettings,
} from '@sextant/workers/src/core/settings.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../support/createTestApp.ts';

interface Column {
  name: string;
  type: string;
  nullable: boolean;
  standard: string | null;
  checks: string[];
}

let test: TestApp;
let columns: Map<string, Column>;
beforeAll(async () => {
  test = await createTestApp();
  const rows = await test.database.asOwner<Column>(
    `select a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as nullable,
            pg_get_expr(d.adbin, d.adrelid) as standard,
            array(select pg_get_constraintdef(c.oid) from pg_constraint c
                  where c.conrelid = a.attrelid and c.contype = 'c' and c.conkey = array[a.attnum]) as checks
     from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid = 'preferences'::regclass and a.attnum > 0 and not a.attisdropped`,
  );
  columns = new Map(rows.map((row) => [row.name, row]));
});
afterAll(() => test.close());

/** `CHECK (((x >= (0)::double precision) AND (x <= (100)::double precision)))` without casts and brackets: `x >= 0 AND x <= 100`. */
const plain = (text: string): string =>
  text
    .replaceAll(/::[a-z ]+(?:\[\])?/g, '')
    .replaceAll(/[()]/g, '')
    .replaceAll(/'([\d.]+)'/g, '$1');
const unquote = (text: string | null): string | null => (text === null ? null : plain(text).replaceAll("'", ''));

describe('the settings of an account', () => {
  const ids = Object.keys(numberSettings) as NumberSettingId[];

  it.each(ids)('%s has the bounds and the default of the registry in the database', (id) => {
    const column = columns.get(id)!;
    const { min, max, default: standard } = numberSettings[id];
    expect(column.checks.map(plain)).toEqual([`CHECK ${id} >= ${min} AND ${id} <= ${max}`]);
    expect(column.type).toBe('isWhole' in numberSettings[id] ? 'integer' : 'double precision');
    // The guards that size down are off in accounts from before them.
    const isOffFor = id === 'guard_stops_pct' || id === 'guard_exposure_pct';
    expect(column.nullable).toBe(standard === null || isOffFor);
    const stored = unquote(column.standard);
    expect(stored === null ? null : Number(stored)).toBe(standard);
  });

  it.each(Object.entries(choiceSettings))(
    '%s has the choices and the default of the registry',
    (id, { choices, ...setting }) => {
      const column = columns.get(id)!;
      expect([...column.checks.join().matchAll(/'([^']+)'/g)].map(([, choice]) => choice)).toEqual([...choices]);
      expect(unquote(column.standard)).toBe(setting.default);
      expect(column.nullable).toBe(false);
    },
  );

  it('no other number of the preferences has bounds', () => {
    const numbers = [...columns.values()].filter(({ type }) => type === 'integer' || type === 'double precision');
    expect(numbers.map(({ name }) => name).sort()).toEqual([...ids].sort());
  });

  it('have a hint of bounds, default and what is counted', () => {
    expect(hintOfSetting('trail_callback_pct')).toBe('0.05 to 20, default 0.5');
    expect(hintOfSetting('trail_atr_period')).toBe('5 to 200 candles, default 14');
    expect(hintOfSetting('trail_activation_stops')).toBe('0 to 10, default 1; 0 trails at once');
    expect(hintOfSetting('tuning_conf_floor')).toBe('0.1 to 1');
  });
});
