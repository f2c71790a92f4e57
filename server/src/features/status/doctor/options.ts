import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';

export interface DoctorOptions {
  /** Base URLs of the probe ports. */
  probes: readonly string[];
  isJson: boolean;
}

export const doctorUsage = `npx sextant doctor [--probe URL]... [--json]

Reads the database of DATABASE_URL (without it the embedded one of DATA_DIR) and the probe ports of the nodes, in ten seconds:
slow exchanges, late queues, leaders, clocks, money checks, growth of the disk.

  --probe URL   probe port of a node, e.g. http://10.0.0.5:9464; repeat it for each node
                (default: PROBE_HOST and PROBE_PORT of this machine)
  --json        findings as JSON

Exit code: 0 without a problem, 1 with one, 2 for wrong arguments or settings.
`;

/** @param ownProbe used without --probe; undefined where this machine has no probe port */
export function readDoctorOptions(
  words: readonly string[],
  ownProbe: string | undefined,
): Result<DoctorOptions | 'help', string> {
  const probes: string[] = [];
  let isJson = false;
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    if (word === '--help' || word === '-h') return ok('help');
    if (word === '--json') isJson = true;
    else if (word === '--probe') {
      i += 1;
      const url = words[i] ?? '';
      if (!URL.canParse(url) || !['http:', 'https:'].includes(new URL(url).protocol))
        return failWith('--probe needs a URL, such as http://127.0.0.1:9464');
      probes.push(url);
    } else return failWith(`unknown argument "${word}"; the arguments are --probe URL and --json`);
  }
  return ok({ probes: probes.length > 0 ? probes : ownProbe === undefined ? [] : [ownProbe], isJson });
}
