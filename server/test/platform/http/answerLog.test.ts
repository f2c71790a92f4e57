import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

/** The logger writes to standard output, so the server runs in a process of its own and its lines are read. */
const program = `
  const { readConfig } = await import('./server/src/config.ts');
  const { createServer } = await import('./server/src/platform/http/createServer.ts');
  const app = await createServer(readConfig({ DATA_DIR: '/tmp', LOG_LEVEL: 'info' }));
  app.get('/api/thing', (request) => { request.log.warn({ token: 'hidden-1' }, 'careful'); return {}; });
  await app.inject('/api/thing?token=hidden-2');
  await app.close();
`;

describe('the log of answers', () => {
  it('has one line for each, with its request and without the query, and other lines keep hiding secrets', () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toHaveLength(2);
    const [careful, answered] = lines;
    expect(careful).toMatchObject({ msg: 'careful', token: '[hidden]' });
    expect(answered).toMatchObject({ msg: 'answered', method: 'GET', path: '/api/thing', statusCode: 200 });
    expect(answered?.['reqId']).toBe(careful?.['reqId']);
    expect(stdout).not.toMatch(/hidden-\d/);
  });
});
