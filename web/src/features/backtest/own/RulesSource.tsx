/** The text of own rules, to read. */
export function RulesSource({ text }: { text: string }) {
  return (
    <pre
      data-testid="rules-text"
      className="mt-2 rounded border border-line bg-bg p-2 font-mono text-label break-words whitespace-pre-wrap"
    >
      {text}
    </pre>
  );
}
