import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const require = createRequire(import.meta.url);

/** File of each icon by the names it is exported under: `House` and `Home` are both `house`. */
export async function readIconFiles(): Promise<ReadonlyMap<string, string>> {
  const folder = dirname(dirname(require.resolve('lucide-react')));
  const index = await readFile(join(folder, 'esm/lucide-react.mjs'), 'utf8');
  const files = new Map<string, string>();
  for (const [, names = '', file = ''] of index.matchAll(/^export \{([^}]*)\} from '\.\/icons\/([\w-]+)\.mjs'/gm))
    for (const [, name = ''] of names.matchAll(/default as (\w+)/g)) files.set(name, file);
  return files;
}

/** `import { Bot, type LucideIcon } from 'lucide-react'` with each icon from its own file; the other names stay where they are. */
export function importIconsDirectly(code: string, files: ReadonlyMap<string, string>): string {
  return code.replace(/import\s*\{([^}]*)\}\s*from\s*(['"])lucide-react\2;?/g, (_whole, list: string) => {
    const specifiers = list
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
    const others: string[] = [];
    const lines = specifiers.flatMap((specifier) => {
      const [name = '', local = name] = specifier.split(/\s+as\s+/);
      const file = files.get(name);
      if (file !== undefined) return [`import ${local} from 'lucide-react/icons/${file}';`];
      others.push(specifier);
      return [];
    });
    if (others.length > 0) {
      const isTypes = others.every((each) => each.startsWith('type '));
      const names = others.map((each) => (isTypes ? each.slice('type '.length) : each)).join(', ');
      // A plain import would read the index for its side effects.
      lines.push(`import ${isTypes ? 'type ' : ''}{ ${names} } from 'lucide-react';`);
    }
    return lines.join(' ');
  });
}

/**
 * Imports icons from their own files instead of from an index of 1,700: so `groupChunks` knows which page needs which
 * icon.
 */
export function directIcons(): Plugin {
  let files: ReadonlyMap<string, string> = new Map();
  return {
    name: 'sextant:direct-icons',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    enforce: 'pre',
    async buildStart() {
      files = await readIconFiles();
    },
    transform(code, id) {
      if (!/\/src\/.*\.tsx?$/.test(id) || !code.includes('lucide-react')) return null;
      return { code: importIconsDirectly(code, files), map: null };
    },
  };
}
