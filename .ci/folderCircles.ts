/** A module and the modules it imports, types included; paths from the root of the repository. */
export interface Imports {
  source: string;
  targets: readonly string[];
  /** Targets of which only types are imported. */
  types?: readonly string[];
}

/** Room of a file below a folder: its subfolder; undefined for files of the folder itself, which compose the rooms, and for others. */
export function roomOf(path: string, parent: string): string | undefined {
  if (!path.startsWith(`${parent}/`)) return undefined;
  const [room, ...rest] = path.slice(parent.length + 1).split('/');
  return rest.length === 0 ? undefined : room;
}

/** Circles between the rooms of a folder, each as its rooms in alphabetical order. */
export function folderCircles(modules: readonly Imports[], parent: string): string[][] {
  const edges = new Map<string, Set<string>>();
  for (const { source, targets } of modules) {
    const from = roomOf(source, parent);
    if (from === undefined) continue;
    const reached = edges.get(from) ?? new Set();
    for (const target of targets) {
      const to = roomOf(target, parent);
      if (to !== undefined && to !== from) reached.add(to);
    }
    edges.set(from, reached);
  }
  const reachable = new Map([...edges.keys()].map((room) => [room, reachedFrom(room, edges)]));
  const circles = new Map<string, string[]>();
  for (const [room, reached] of reachable) {
    const circle = [...reached].filter((other) => reachable.get(other)?.has(room) === true).sort();
    if (reached.has(room)) circles.set(circle.join(' '), circle);
  }
  return [...circles.values()];
}

/** Rooms that a room imports, directly or through others; the room itself when it is part of a circle. */
function reachedFrom(start: string, edges: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const seen = new Set(edges.get(start));
  for (const room of seen) for (const next of edges.get(room) ?? []) seen.add(next);
  return seen;
}

/** A module of `from` that imports itself through others, imports of types left out; undefined without one. */
export function importCircle(modules: readonly Imports[], from: readonly string[]): string | undefined {
  const edges = new Map(
    modules.map(({ source, targets, types = [] }) => [
      source,
      new Set(targets.filter((target) => !types.includes(target))),
    ]),
  );
  return from.find((source) => reachedFrom(source, edges).has(source));
}
