import { describe, expect, it } from 'vitest';
import { folderCircles, importCircle, type Imports, roomOf } from '../folderCircles.ts';

const module = (source: string, ...targets: string[]): Imports => ({ source, targets });

describe('a circle between folders', () => {
  it('is found through three rooms, each named once', () =>
    expect(
      folderCircles(
        [
          module('src/a/x.ts', 'src/b/x.ts'),
          module('src/b/y.ts', 'src/c/deep/x.ts'),
          module('src/c/z.ts', 'src/a/y.ts'),
        ],
        'src',
      ),
    ).toEqual([['a', 'b', 'c']]));

  it('is found twice where two do not touch', () =>
    expect(
      folderCircles(
        [
          module('src/a/x.ts', 'src/b/x.ts'),
          module('src/b/y.ts', 'src/a/x.ts'),
          module('src/c/x.ts', 'src/d/x.ts', 'src/a/x.ts'),
          module('src/d/x.ts', 'src/c/x.ts'),
        ],
        'src',
      ),
    ).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]));

  it.each<[string, Imports[]]>([
    ['one direction', [module('src/a/x.ts', 'src/b/x.ts'), module('src/b/x.ts', 'src/c/x.ts')]],
    ['within a room', [module('src/a/x.ts', 'src/a/y.ts'), module('src/a/y.ts', 'src/a/x.ts')]],
    ['by a file of the folder itself', [module('src/a/x.ts', 'src/index.ts'), module('src/index.ts', 'src/a/x.ts')]],
    ['outside the folder', [module('lib/a/x.ts', 'lib/b/x.ts'), module('lib/b/x.ts', 'lib/a/x.ts')]],
  ])('is none: %s', (_, modules) => expect(folderCircles(modules, 'src')).toEqual([]));
});

it('the room of a file is the first folder below the parent', () => {
  expect(roomOf('src/a/deep/x.ts', 'src')).toBe('a');
  expect(roomOf('src/x.ts', 'src')).toBeUndefined();
  expect(roomOf('other/a/x.ts', 'src')).toBeUndefined();
});

describe('a circle of imports', () => {
  const chain = [module('a.ts', 'b.ts'), module('b.ts', 'c.ts')];

  it('is the changed module that imports itself through others', () =>
    expect(importCircle([...chain, module('c.ts', 'a.ts')], ['other.ts', 'c.ts'])).toBe('c.ts'));

  it.each<[string, Imports[]]>([
    ['without a way back', [...chain, module('c.ts', 'd.ts')]],
    ['over an import of types', [...chain, { ...module('c.ts', 'a.ts'), types: ['a.ts'] }]],
  ])('is none %s', (_, modules) => expect(importCircle(modules, ['a.ts', 'b.ts', 'c.ts'])).toBeUndefined());
});
