import { DRAWING_TEXT_MAX } from '@sextant/workers/src/core/chartDrawings.ts';
import { Eye, EyeOff, Lock, LockOpen, Trash2, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatFixed } from '../../format/number.ts';
import { useStore } from '../../state/store.ts';
import type { ChartMarket } from '../priceActions.ts';
import { type Drawing, drawingNames, placedCount } from './drawing.ts';
import { positionFacts, rText } from './drawingFacts.ts';
import { IconButton } from './DrawingMenu.tsx';
import type { DrawingSet } from './drawingSet.ts';
import type { ToolStore } from './drawingTools.ts';
import { SizeHint } from './SizeHint.tsx';

interface Props {
  set: DrawingSet;
  tools: ToolStore;
  market: ChartMarket;
}

/** What the active tool expects, or the selected drawing with what can be done with it. Nothing without either. */
export function DrawingBar({ set, tools, market }: Props) {
  const { tool, selectedId, handle } = useStore(tools);
  const { list } = useStore(set.store);
  const selected = list.find(({ id }) => id === selectedId);
  if (tool === null && selected === undefined) return null;
  const close = () => tools.set({ tool: null, selectedId: null, handle: null });
  return (
    <div
      role="group"
      aria-label={tool === null ? 'Selected drawing' : 'Drawing tool'}
      className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-2 border-b border-line bg-accent-soft px-2 text-label"
    >
      {tool === null && selected !== undefined ? (
        <Selected key={selected.id} set={set} drawing={selected} market={market} handle={handle} />
      ) : (
        tool !== null && (
          <span role="status">
            {drawingNames[tool]}: {placedCount(tool) === 1 ? 'place it' : 'place two points, or drag'}. Enter places it
            at the crosshair, Escape cancels.
          </span>
        )
      )}
      <IconButton icon={X} name={tool === null ? 'Deselect' : 'Cancel tool'} onPress={close} />
    </div>
  );
}

interface SelectedProps {
  set: DrawingSet;
  drawing: Drawing;
  market: ChartMarket;
  handle: number | null;
}

function Selected({ set, drawing, market, handle }: SelectedProps) {
  const { is_locked: isLocked, is_hidden: isHidden, kind } = drawing;
  const facts = positionFacts(drawing);
  return (
    <>
      <span className="font-medium">{drawingNames[kind]}</span>
      {handle !== null && <span className="text-muted">arrow keys move point {handle + 1}</span>}
      {kind === 'text' && <TextField drawing={drawing} onChange={(text) => set.put({ ...drawing, text })} />}
      {facts !== null && (
        <span>
          risk {formatFixed(facts.riskPct, 2)} %, reward {formatFixed(facts.rewardPct, 2)} %, {rText(facts.r)}
        </span>
      )}
      {facts !== null && <SizeHint drawing={drawing} market={market} />}
      <span className="ml-auto flex">
        <IconButton
          icon={isLocked ? LockOpen : Lock}
          name={isLocked ? 'Unlock' : 'Lock'}
          onPress={() => set.put({ ...drawing, is_locked: !isLocked })}
        />
        <IconButton
          icon={isHidden ? Eye : EyeOff}
          name={isHidden ? 'Show' : 'Hide'}
          onPress={() => set.put({ ...drawing, is_hidden: !isHidden })}
        />
        <IconButton
          icon={Trash2}
          name={isLocked ? 'Unlock it to delete it' : 'Delete'}
          isEnabled={!isLocked}
          onPress={() => set.remove(drawing.id)}
        />
      </span>
    </>
  );
}

/** Stored when the field is left or Enter is pressed: one step of undo. */
function TextField({ drawing, onChange }: { drawing: Drawing; onChange: (text: string) => void }) {
  const [draft, setDraft] = useState(drawing.text);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const store = () => {
    if (draft.trim() !== '' && draft !== drawing.text) onChange(draft.trim());
  };
  return (
    <input
      ref={field}
      className="input h-7 w-52"
      aria-label="Text"
      value={draft}
      maxLength={DRAWING_TEXT_MAX}
      disabled={drawing.is_locked}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={store}
      onKeyDown={(event) => event.key === 'Enter' && store()}
    />
  );
}
