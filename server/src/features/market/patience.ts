import type { App } from '../../platform/http/app.ts';
import { clientKey } from '../../platform/limits/clientKey.ts';
import { withPatience } from '../../platform/readPriority.ts';

/** `Prefer: wait=2` (RFC 7240): longest wait for an exchange that the caller accepts; longer waits are rejected at once. */
const preferredWait = /(?:^|[,;]\s*)wait=(\d{1,3})\b/;

/** Rejects reads of a request with a preferred wait when their slot at the exchange is later than that; an earlier slot is reserved. */
export function addPatience(app: App): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const seconds = preferredWait.exec(String(request.headers.prefer ?? ''))?.[1];
    if (seconds === undefined) done();
    else withPatience(Number(seconds) * 1000, request.userIdOrNull ?? clientKey(request.ip), done);
  });
}
