/** A text of the API document: what stands in backticks is code. */
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
