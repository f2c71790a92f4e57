import { expect, it } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { checkAccess } from '../../../src/platform/auth/access.ts';
import { createServer } from '../../../src/platform/http/createServer.ts';

it.each([
  ['a route that takes a key and says nothing of the sandbox', { access: 'read:market' as const }, false],
  ['a public route that says nothing of it', { access: 'public' as const }, false],
  ['a route for sessions that has a place in it', { access: 'session' as const, sandbox: 'none' as const }, false],
  ['a route that takes a key with a decision', { access: 'read:market' as const, sandbox: 'none' as const }, true],
  ['a route for sessions without one', { access: 'session' as const }, true],
])('%s is taken: %s', (_name, schema, isTaken) => {
  const app = createServer(readConfig({ LOG_LEVEL: 'silent' }));
  checkAccess(app);
  const add = () => app.get('/api/new', { schema }, () => ({}));
  if (isTaken) expect(add).not.toThrow();
  else expect(add).toThrow(/GET \/api\/new: declare schema\.sandbox/);
});

it('a route of the API without an access rule stops the server at startup, and with it the build', () => {
  const app = createServer(readConfig({ LOG_LEVEL: 'silent' }));
  checkAccess(app);
  const choices = /GET \/api\/new: declare schema\.access, 'public', 'session', 'any_key' or a scope/;
  expect(() => app.get('/api/new', { schema: { tags: ['Service'] } }, () => ({}))).toThrow(choices);
  expect(() => app.get('/api/new', () => ({}))).toThrow(choices);
  // Pages and files are no routes of the API.
  expect(() => app.get('/new', () => ({}))).not.toThrow();
});
