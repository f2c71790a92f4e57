import { paramsOf } from '../../src/features/scan/startScan.ts';
import type { ScanParams } from '../../src/features/scan/contract.ts';

/** Parameters of a scan whose rules compile. */
export async function scanParams(...request: Parameters<typeof paramsOf>): Promise<ScanParams> {
  const params = await paramsOf(...request);
  if (!params.ok) throw new Error(params.error.message);
  return params.value;
}
