import { expect, it } from 'vitest';
import document from '../../../openapi.json' with { type: 'json' };
import { type ApiDocument, documentationPage } from '../../../src/features/apiDocs/page.ts';

const real = document as unknown as ApiDocument;

it('SHELL-013 names every call of the document, once as a heading and once in the contents', () => {
  const page = documentationPage(real, '/style.css');
  for (const [path, methods] of Object.entries(real.paths)) {
    for (const method of Object.keys(methods)) {
      expect(page.split(`${method.toUpperCase()} ${path}<`).length - 1, `${method} ${path}`).toBe(2);
    }
  }
});

it('carries no script, and shows markup in a description as text', () => {
  const info = { title: '<script>alert(1)</script>', version: '"1"' };
  const page = documentationPage({ ...real, info }, '/style.css');
  expect(page).not.toMatch(/<script|javascript:|\son\w+=/i);
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});
