import { Cpu, FileDigit, Server } from 'lucide-react';

const hashes = ['engine', 'candles', 'parameters', 'result'] as const;

/** The promise as a picture: one file of machine code, two places, four hashes that must agree. No figures: none would be measured. */
export function SameBits() {
  return (
    <figure
      className="panel gap-4 p-5"
      aria-label="One engine runs in your browser and on the server; four hashes prove that both runs agree."
    >
      <div className="grid grid-cols-[1fr_auto_1fr] items-center gap-3" aria-hidden="true">
        <Place icon={Cpu} title="Your browser" text="runs here, nothing uploaded" />
        <div className="flex flex-col items-center gap-1 text-center">
          <FileDigit size={20} className="text-accent" />
          <span className="font-mono text-label">engine.wasm</span>
        </div>
        <Place icon={Server} title="The server" text="repeats on request" />
      </div>
      <table aria-hidden="true" className="w-full border-collapse text-label">
        <tbody>
          {hashes.map((hash) => (
            <tr key={hash} className="border-t border-line">
              <td className="py-2 font-mono text-muted">SHA-256</td>
              <td className="py-2 text-center font-medium">{hash}</td>
              <td className="py-2 text-right font-mono text-up">equal, or it says so</td>
            </tr>
          ))}
        </tbody>
      </table>
      <figcaption className="text-muted">
        One engine, one file of machine code. Where the two runs differ in a single bit, the hashes differ, and you see
        it.
      </figcaption>
    </figure>
  );
}

function Place({ icon: Icon, title, text }: { icon: typeof Cpu; title: string; text: string }) {
  return (
    <div className="flex flex-col items-center gap-1 rounded border border-line bg-bg p-4 text-center">
      <Icon size={20} className="text-muted" />
      <span className="font-semibold">{title}</span>
      <span className="text-label text-muted">{text}</span>
    </div>
  );
}
