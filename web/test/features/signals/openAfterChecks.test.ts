import { describe, expect, it } from 'vitest';
import type { AutoRun, LastScan } from '../../../src/api/types.ts';
import { runToasts, withAiCheck } from '../../../src/features/signals/SignalsTab.tsx';
import { signalOf } from '../../support/signals.ts';

const run = (change: Partial<AutoRun>): AutoRun => ({
  id: 'r',
  scan_id: 's',
  created_at: '2026-01-01T00:00:00Z',
  finished_at: null,
  opened: 0,
  skipped: 0,
  failed: 0,
  reason: null,
  refused: null,
  is_first: false,
  messages: [],
  items: [],
  ...change,
});

describe('what a run of automatic opening says', () => {
  it('AUTO-010 AUTO-011 is what the server has, failures as failures', () => {
    const messages = ['Auto position opened: LONG BTCUSDT (Risk-adjusted: 50%)', 'Auto open failed for 1/2'];
    expect(runToasts(run({ opened: 1, failed: 1, messages }))).toEqual([
      ['Auto position opened: LONG BTCUSDT (Risk-adjusted: 50%)', 'success'],
      ['Auto open failed for 1/2', 'error'],
    ]);
  });

  it('AUTO-007 is the reason when nothing was opened', () => {
    expect(runToasts(run({ skipped: 3, reason: 'NO_MATCH' }))).toEqual([
      ['No position opened: did not qualify', 'info'],
    ]);
    const item = { symbol: 'BTCUSDT', interval: '1h', side: 'LONG', confidence: 0.7, position_id: null } as const;
    const items = [
      { ...item, outcome: 'NO_MATCH', detail: 'rule_check_not_passed', message: 'Rule check: not passed' } as const,
    ];
    expect(runToasts(run({ skipped: 1, reason: 'NO_MATCH', items }))).toEqual([
      ['No position opened: BTCUSDT 1h: Rule check: not passed', 'info'],
    ]);
    expect(runToasts(run({}))).toEqual([]);
  });
});

describe('the response to an AI check', () => {
  const last = {
    scan: { scan_id: 's', results: { all: [signalOf({ signal_id: 'a' }), signalOf({ signal_id: 'b' })] } },
    active: null,
  } as unknown as LastScan;
  const { ai_state, rule_check, aiApproved, aiProposal, suggestedRiskMultiplier } = signalOf();
  const aiRationale = 'It agrees with the trend.';
  const fields = { ai_state, rule_check, aiApproved, aiRationale, aiProposal, suggestedRiskMultiplier };

  it('SIG-015 is stored in its signal of the last scan only', () => {
    const stored = withAiCheck(last, { scanId: 's', signalId: 'b', fields });
    expect(stored?.scan?.results?.all[0]).toBe(last.scan?.results?.all[0]);
    expect(stored?.scan?.results?.all[1]).toMatchObject({ signal_id: 'b', aiRationale });
    expect(withAiCheck(last, { scanId: 'earlier', signalId: 'b', fields })).toBe(last);
    expect(withAiCheck(undefined, { scanId: 's', signalId: 'b', fields })).toBeUndefined();
  });
});
