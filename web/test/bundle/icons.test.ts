import { describe, expect, it } from 'vitest';
import { importIconsDirectly, readIconFiles } from '../../bundle/icons.ts';

const files = new Map([
  ['Bot', 'bot'],
  ['ChevronDown', 'chevron-down'],
  ['Menu', 'menu'],
]);

describe('importIconsDirectly', () => {
  it('imports each icon from its own file, under the name it has in the module', () => {
    expect(importIconsDirectly(`import { Bot, Menu as MenuIcon } from 'lucide-react';\nrest();`, files)).toBe(
      `import Bot from 'lucide-react/icons/bot'; import MenuIcon from 'lucide-react/icons/menu';\nrest();`,
    );
    expect(importIconsDirectly(`import {\n  ChevronDown,\n} from "lucide-react"`, files)).toBe(
      `import ChevronDown from 'lucide-react/icons/chevron-down';`,
    );
  });
  it('leaves names that are no icons where they are, and types as types', () => {
    expect(importIconsDirectly(`import { type LucideIcon, Bot } from 'lucide-react';`, files)).toBe(
      `import Bot from 'lucide-react/icons/bot'; import type { LucideIcon } from 'lucide-react';`,
    );
    expect(importIconsDirectly(`import { Provider, type Props } from 'lucide-react';`, files)).toBe(
      `import { Provider, type Props } from 'lucide-react';`,
    );
    expect(importIconsDirectly(`import { Bot } from './icons.ts';`, files)).toBe(`import { Bot } from './icons.ts';`);
  });
});

describe('readIconFiles', () => {
  it('finds the file of an icon under each of its names', async () => {
    const match = await readIconFiles();
    expect(match.get('ChevronDown')).toBe('chevron-down');
    expect([match.get('House'), match.get('Home')]).toEqual(['house', 'house']);
    expect(match.has('createLucideIcon')).toBe(false);
  });
});
