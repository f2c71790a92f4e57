import type { ApiCall } from '../../../api/types.ts';
import { formatCount, formatFixed } from '../../../format/number.ts';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { KeyModeBadge } from './KeyModeBadge.tsx';
import { Time } from '../../../ui/Time.tsx';

/** Calls with keys, newest first. */
export function CallTable({ calls }: { calls: readonly ApiCall[] }) {
  return (
    <ScrollSideways label="Calls with your keys">
      <table className="table">
        <thead>
          <tr>
            {['Time', 'Method', 'Endpoint', 'Status', 'IP', 'Key'].map((name) => (
              <th key={name} className="lead" scope="col">
                {name}
              </th>
            ))}
            <th scope="col">ms</th>
            <th scope="col">Credits</th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <tr key={call.request_id}>
              <td className="lead">
                <Time at={call.created_at} hasSeconds />
              </td>
              <td className="lead">{call.method}</td>
              <td className="lead font-mono" title={`Request ${call.request_id}`}>
                {call.path}
              </td>
              <td className={`lead font-semibold ${call.success ? 'text-up' : 'text-down'}`}>{call.status}</td>
              <td className="lead font-mono">{call.ip}</td>
              <td className="lead">
                <span className="flex items-center gap-2">
                  {call.key_name ?? 'deleted'} <KeyModeBadge mode={call.mode} />
                </span>
              </td>
              <td>{formatFixed(call.duration_ms, 1)}</td>
              <td>{formatCount(call.credits)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollSideways>
  );
}
