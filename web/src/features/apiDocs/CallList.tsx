import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { plansOf, useApiSubscription } from '../../data/apiAccess.ts';
import { useDocumentation } from '../../api/apiDocs.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { DocumentedCall } from '../../api/types.ts';
import { formatCount } from '../../format/number.ts';
import { ResponseView, type TriedResponse, tryCall } from '../shared/apiAccess/NewKeyPanel.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { Field, TextArea } from '../../ui/Field.tsx';
import { Loaded, Panel } from '../../ui/Panel.tsx';
import { ScrollSideways } from '../../ui/ScrollSideways.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { keyToSend } from './Sidebar.tsx';

/** The calls of one page, in the order of the document. */
export function CallList({ page }: { page: DocumentedCall['page'] }) {
  const documentation = useDocumentation();
  return (
    <Loaded response={documentation} failure="Could not load the documentation." rows={10}>
      {({ calls, stream }) => (
        <>
          {calls
            .filter((call) => call.page === page)
            .map((call) => (
              <CallCard key={`${call.method} ${call.path}`} call={call} />
            ))}
          {stream.page === page && <CallCard call={stream} isStream />}
        </>
      )}
    </Loaded>
  );
}

const languageNames = { curl: 'cURL', typescript: 'TypeScript', python: 'Python' } as const;
type Language = keyof typeof languageNames;
const languages = Object.keys(languageNames) as Language[];

interface CardProps {
  call: DocumentedCall;
  /** An event stream: its response does not end, so no form sends it. */
  isStream?: boolean;
}

/** One call: description, parameters, response, code samples, and a form that sends it. */
function CallCard({ call, isStream = false }: CardProps) {
  const { method, path, summary, description } = call;
  return (
    <section aria-label={`${method} ${path}`} className="panel gap-4 p-4">
      <header className="flex flex-col gap-1">
        <h2 className="flex flex-wrap items-center gap-2">
          <span className="rounded-sm bg-accent-soft px-1.5 font-mono text-label font-semibold">{method}</span>
          <code className="font-mono text-section font-semibold break-all">{path}</code>
          <span className="text-label text-muted">{accessText(call)}</span>
        </h2>
        <p>
          <InlineCode text={summary} />
        </p>
        {description !== '' && (
          <p className="text-muted">
            <InlineCode text={description} />
          </p>
        )}
      </header>
      {call.parameters.length > 0 && (
        <FieldTable title={`Parameters of ${method} ${path}`} rows={call.parameters} hasRequired />
      )}
      <Examples call={call} />
      {call.sandbox_answer !== null && (
        <details>
          <summary className="cursor-pointer text-accent">Sandbox response</summary>
          <div className="mt-2 flex flex-col gap-2">
            <p className="text-label text-muted">
              A test key always gets this response to the example (line breaks added).
            </p>
            <CodeBlock label={`Sandbox response: ${call.method} ${call.path}`} text={laidOut(call.sandbox_answer)} />
          </div>
        </details>
      )}
      {!isStream && <TryIt call={call} />}
      {call.answer.length > 0 && (
        <details>
          <summary className="cursor-pointer text-accent">Response fields</summary>
          <div className="mt-2">
            <FieldTable title={`Response fields of ${method} ${path}`} rows={call.answer} />
          </div>
        </details>
      )}
      <Rejections call={call} />
    </section>
  );
}

/** Error codes of the call with their meaning. */
function Rejections({ call: { method, path, refusals } }: { call: DocumentedCall }) {
  if (refusals.length === 0) return null;
  return (
    <details>
      <summary className="cursor-pointer text-accent">Errors</summary>
      <div className="mt-2">
        <DocTable title={`Errors of ${method} ${path}`} columns={['Status', 'Code', 'Meaning']}>
          {refusals.map(({ status, code, title }) => (
            <tr key={code}>
              <td className="lead tabular">{status}</td>
              <th className="lead font-mono" scope="row">
                {code}
              </th>
              <td className="lead wraps min-w-50">{title}</td>
            </tr>
          ))}
        </DocTable>
      </div>
    </details>
  );
}

/** JSON with line breaks; lists of numbers stay on one line. */
const laidOut = (body: string): string =>
  JSON.stringify(JSON.parse(body), null, 2).replaceAll(/\[[-\d.,\se+]+\]/g, (list) =>
    list.replaceAll(/\s+/g, ' ').replaceAll(/\[ | \]/g, (end) => end.trim()),
  );

function accessText({ access, costs }: DocumentedCall): string {
  const who = access === 'public' ? 'no key needed' : access === 'any_key' ? 'any key' : `scope ${access}`;
  return costs === 0 ? who : `${who} · may cost ${costs} credit`;
}

interface FieldTableProps {
  title: string;
  rows: DocumentedCall['parameters'];
  hasRequired?: boolean;
}

function FieldTable({ title, rows, hasRequired = false }: FieldTableProps) {
  return (
    <DocTable title={title} columns={['Name', 'Type', 'Meaning']}>
      {rows.map((row) => (
        <tr key={row.name}>
          <th className="lead font-mono" scope="row">
            {row.name}
            {hasRequired && row.is_required && <span className="text-down"> required</span>}
          </th>
          <td className="lead wraps min-w-40">{row.type}</td>
          <td className="lead wraps min-w-50">
            <InlineCode text={row.description} />
          </td>
        </tr>
      ))}
    </DocTable>
  );
}

function Examples({ call }: { call: DocumentedCall }) {
  const [language, setLanguage] = useState<Language>('curl');
  return (
    <div className="flex flex-col gap-2">
      <div className="self-start">
        <Segments
          label={`Language of the example of ${call.path}`}
          options={languages}
          value={language}
          nameOf={(each) => languageNames[each]}
          onSelect={setLanguage}
          isSmall
        />
      </div>
      <CodeBlock label={`${languageNames[language]}: ${call.method} ${call.path}`} text={call.examples[language]} />
    </div>
  );
}

/** Sends the call with the typed values, using the key of the sidebar or the session. */
function TryIt({ call: { method, path, sample, costs } }: { call: DocumentedCall }) {
  const client = useQueryClient();
  const [address, setAddress] = useState(sample.path);
  const [body, setBody] = useState(sample.body === null ? undefined : JSON.stringify(sample.body, null, 2));
  const [response, setResponse] = useState<TriedResponse | 'waiting' | null>(null);
  async function send(): Promise<void> {
    setResponse('waiting');
    setResponse(await tryCall({ method, path: address, body }, keyToSend()));
    await client.invalidateQueries({ queryKey: queryKeys.apiAccess.all });
  }
  return (
    <details>
      <summary className="cursor-pointer text-accent">Try it</summary>
      <form
        aria-label={`Try ${method} ${path}`}
        className="mt-2 flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <Field label="Path">
          {(ids) => (
            <input
              {...ids}
              className="input font-mono"
              value={address}
              onChange={(event) => setAddress(event.target.value.startsWith('/api/') ? event.target.value : address)}
            />
          )}
        </Field>
        {body !== undefined && (
          <Field label="Body">
            {(ids) => (
              <TextArea
                {...ids}
                className="font-mono"
                rows={Math.min(12, body.split('\n').length + 1)}
                spellCheck={false}
                value={body}
                onChange={(event) => setBody(event.target.value)}
              />
            )}
          </Field>
        )}
        <button type="submit" className="btn btn-primary self-start" disabled={response === 'waiting'}>
          {response === 'waiting' ? 'Calling...' : costs === 0 ? 'Send' : `Send (may cost ${costs} credit)`}
        </button>
      </form>
      {response !== null && response !== 'waiting' && (
        <div className="mt-2">
          <ResponseView response={response} label={`Response of ${method} ${path}`} />
        </div>
      )}
    </details>
  );
}

/** A table of the documentation: column names and the caller's rows. */
export function DocTable({
  title,
  columns,
  children,
}: {
  title: string;
  columns: readonly string[];
  children: ReactNode;
}) {
  return (
    <ScrollSideways label={title}>
      <table className="table">
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} className="lead" scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </ScrollSideways>
  );
}

/** A text of the API document: text in backticks is code. */
export function InlineCode({ text }: { text: string }) {
  return text.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <code key={at} className="font-mono">
        {part}
      </code>
    ),
  );
}

/** Calls an hour by plan; the current one is marked. */
export function PlanLimits() {
  const { data } = useApiSubscription();
  return (
    <Panel title="Rate limits by plan" bodyClassName="">
      <table className="table">
        <thead>
          <tr>
            <th className="lead" scope="col">
              Plan
            </th>
            <th scope="col">Calls an hour</th>
            <th className="wraps" scope="col">
              Credits for 30 days
            </th>
          </tr>
        </thead>
        <tbody>
          {plansOf(data).map(({ plan, hourly_limit: limit, price_credits_month: price }) => (
            <tr key={plan} className={plan === data?.current.plan ? 'bg-accent-soft' : ''}>
              <th className="lead" scope="row">
                {plan}
                {plan === data?.current.plan && ' (yours)'}
              </th>
              <td>{formatCount(limit)}</td>
              <td>{formatCount(price)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
