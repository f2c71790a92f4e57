import { describe, expect, it } from 'vitest';
import { releasedChangelog } from '../changelog.ts';

const at = new Date('2026-12-01T23:30:00Z');

describe('the changelog of a release', () => {
  it('has the unreleased part under its version and UTC date, above older ones', () =>
    expect(
      releasedChangelog('# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n', '0.2.0', at),
    ).toBe('# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n'));

  it.each([
    ['no unreleased part', '# Changelog\n', 'no "## Unreleased"'],
    ['nothing unreleased', '## Unreleased\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n', 'nothing under "Unreleased"'],
    ['the version', '## Unreleased\n\n- New.\n\n## 0.2.0 (2026-01-01)\n\n- Old.\n', 'has 0.2.0 already'],
  ])('is rejected with %s', (_, text, message) => expect(() => releasedChangelog(text, '0.2.0', at)).toThrow(message));
});
