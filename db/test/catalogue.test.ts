import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { isSymbol, SYMBOL_PATTERN } from '@sextant/workers/src/core/symbolPattern.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tuningIds } from '../../server/src/features/signals/rules.ts';
import { createTestDatabase, type TestDatabase } from '../../server/test/support/createTestDatabase.ts';
import { describeSchema } from '../src/describeSchema.ts';
import { lintCatalogue } from '../src/lintCatalogue.ts';

let database: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

describe('the catalogue', () => {
  it('has no way around row-level security and an index under every foreign key', async () => {
    expect(await lintCatalogue(owner)).toEqual([]);
  });

  it.each([
    ['table_without_forced_rls', 'create table leak (id int)'],
    ['table_without_forced_rls', 'alter table backtests no force row level security'],
    [
      'table_without_policy',
      'create table bare (id int); alter table bare enable row level security, force row level security',
    ],
    ['policy_open_to_everybody', 'create policy all_rows on backtests to app_user using (true)'],
    ['policy_open_to_everybody', `create policy anyone on backtests using (user_id is not null)`],
    [
      'policy_setting_evaluated_per_row',
      `create policy slow on backtests to app_user using (user_id = current_setting('app.user_id')::uuid)`,
    ],
    ['view_with_the_rights_of_its_owner', 'create view all_backtests as select * from backtests'],
    ['materialised_view', 'create materialized view copied as select * from backtests'],
    [
      'security_definer_function',
      `create function f() returns bigint language sql security definer set search_path = public as 'select 1::bigint'`,
    ],
    ['function_without_search_path', `create function g() returns bigint language sql as 'select 1::bigint'`],
    ['foreign_key_without_index', 'alter table backtests add parent uuid references backtests (id)'],
    ['user_rows_without_time_index', 'drop index backtests_user_created'],
    ['user_id_not_required', 'alter table backtests alter user_id drop not null'],
    ['user_id_not_required', 'grant update (user_id) on receipts to app_user'],
    ['unique_key_across_users', 'create unique index on backtests (symbol)'],
    ['truncate_ignores_policies', 'grant truncate on backtests to app_user'],
    ['login_sees_rows_by_itself', 'grant select on backtests to sextant_server'],
    ['login_sees_rows_by_itself', 'grant select on backtests to public'],
    ['role_with_too_much_power', 'alter role app_user bypassrls'],
    ['table_owned_by_an_app_role', 'alter table backtests owner to app_user'],
  ])('the rule %s notices: %s', async (rule, breach) => {
    await owner.query('begin');
    try {
      await owner.query(breach);
      expect((await lintCatalogue(owner)).map((finding) => finding.rule)).toContain(rule);
    } finally {
      await owner.query('rollback');
    }
  });

  it('is what db/src/schema.gen.ts says (renew it with: npm run generate)', async () => {
    const written = await readFile(join(import.meta.dirname, '../src/schema.gen.ts'), 'utf8');
    expect(await describeSchema(owner)).toBe(written);
  });
});

describe('the list of exchanges', () => {
  it('is the same in the database and in the code', async () => {
    const [check] = await database.asOwner<{ text: string }>(
      `select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'exchange_id_known'`,
    );
    expect(check?.text.match(/'\w+'/g)?.map((id) => id.slice(1, -1))).toEqual([...venueIds]);
  });
});

describe('the definition of a symbol', () => {
  it('is the same in the database and in the code', async () => {
    const [check] = await database.asOwner<{ text: string }>(
      `select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'watchlist_symbol_check'`,
    );
    expect(check?.text).toContain(`'${SYMBOL_PATTERN}'`);
  });

  it.each([
    ['WUSDT', true],
    ['1INCHUSDT', true],
    ['币安人生USDT', true],
    ['USDT', false],
    ['btcUSDT', false],
    ['BTC\u200BUSDT', false],
    ['BTC USDT', false],
    [`${'A'.repeat(37)}USDT`, false],
  ])('%s: %s, read alike by both', async (symbol, isOne) => {
    const [row] = await database.asOwner<{ holds: boolean }>(`select $1::text ~ '${SYMBOL_PATTERN}' as holds`, [
      symbol,
    ]);
    expect([row?.holds, isSymbol(symbol)]).toEqual([isOne, isOne]);
  });
});

describe('the weights of votes', () => {
  it('are no columns: a new vote needs no migration', async () => {
    const columns = await database.asOwner(
      `select table_name, column_name from information_schema.columns where table_schema = 'public' and column_name = any ($1)`,
      [[...tuningIds, ...voteIds]],
    );
    expect(columns).toEqual([]);
  });

  it.each([
    ['{}', true],
    ['{"adx": 0.5, "news": 1.5, "a_new_vote": 1}', true],
    ['{"adx": 0.49}', false],
    ['{"adx": 1, "news": 1.51}', false],
    ['{"adx": "1"}', false],
    ['{"adx": null}', false],
    ['{"adx": [1]}', false],
    ['{"adx": {"weight": 1}}', false],
    ['[1]', false],
    ['1', false],
  ])('%s are stored: %s', async (weights, isValid) => {
    const id = await database.addUser();
    const insert = database.asOwner('insert into signal_tuning (user_id, weights) values ($1, $2)', [id, weights]);
    if (isValid) await insert;
    else await expect(insert).rejects.toMatchObject({ code: '23514' });
  });
});

describe('the defaults of the preferences', () => {
  it('are the ones of the specification', async () => {
    const id = await database.addUser();
    const [row] = await database.asOwner('select * from preferences where user_id = $1', [id]);
    expect(row).toMatchObject({
      min_auto_conf_pct: 60,
      positions_wanted: 5,
      balance_usdt: 1000,
      leverage: 10,
      risk_tolerance: 'medium',
      max_symbols: 100,
      scan_interval: '1h',
      risk_min_pct: 0.005,
      risk_max_pct: 0.02,
      risk_smoothing: 0.3,
      risk_perf_lookback: 50,
      interval_opts: { '15m': true, '1h': true, '4h': true },
      max_concurrent_positions: 5,
      trail_mode: 'percent',
      trail_callback_pct: 0.5,
      trail_step_pct: 0.25,
      trail_atr_mult: 2,
      trail_atr_period: 14,
      trail_activation_stops: 1,
      active_tab: 'dashboard',
    });
  });

  it.each([
    'leverage = 126',
    'leverage = 0',
    'min_auto_conf_pct = 101',
    'risk_min_pct = 0.03, risk_max_pct = 0.02',
    `balance_usdt = 'NaN'`,
    `risk_tolerance = 'wild'`,
    `interval_opts = '{}'`,
    `active_tab = 'admin'`,
    'positions_wanted = null',
    'trail_atr_period = 4',
    'trail_activation_stops = 10.1',
  ])('the database rejects %s', async (change) => {
    const id = await database.addUser();
    const update = database.asOwner(`update preferences set ${change} where user_id = $1`, [id]);
    await expect(update).rejects.toMatchObject({ code: expect.stringMatching(/^23(514|502)$/) as string });
  });
});
