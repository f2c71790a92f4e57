import { useDocumentation } from '../../api/apiDocs.ts';
import type { DocumentedCall } from '../../api/types.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { CallCard } from './CallCard.tsx';

/** The calls of one page, in the order of the document. */
export function CallList({ page }: { page: DocumentedCall['page'] }) {
  const documentation = useDocumentation();
  return (
    <Loaded answer={documentation} failure="The documentation could not be read." rows={10}>
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
