import { Menu } from '@base-ui/react/menu';
import { drawingKinds, type DrawingKind } from '@sextant/workers/src/core/chartDrawings.ts';
import {
  ChevronDown,
  EyeOff,
  Lock,
  type LucideIcon,
  Minus,
  MoveUpRight,
  Redo2,
  Ruler,
  Square,
  TableRowsSplit,
  TrendingDown,
  TrendingUp,
  Type,
  Undo2,
} from 'lucide-react';
import { formatFixed, formatMany } from '../../format/number.ts';
import { useStore } from '../../state/store.ts';
import { type Drawing, drawingNames } from './drawing.ts';
import type { DrawingSet } from './drawingSet.ts';
import { toggleMagnet, toolKeys, type ToolStore } from './drawingTools.ts';

const icons: Record<DrawingKind, LucideIcon> = {
  horizontal: Minus,
  trend: TrendingUp,
  ray: MoveUpRight,
  rectangle: Square,
  fibonacci: TableRowsSplit,
  measure: Ruler,
  text: Type,
  long: TrendingUp,
  short: TrendingDown,
};

const shortcuts = new Map(Object.entries(toolKeys).map(([code, kind]) => [kind, `Alt ${code.replace('Key', '')}`]));

interface Props {
  set: DrawingSet;
  tools: ToolStore;
  priceDecimals: number;
  /** Receives the focus for a tool, so that the keyboard can place it. */
  onTool: () => void;
}

/** Tools, undo, and the drawings on the symbol. */
export function DrawingMenu({ set, tools, priceDecimals, onTool }: Props) {
  const { list, canUndo, canRedo, waitingCount, isOffline } = useStore(set.store);
  const { tool, isMagnet } = useStore(tools);
  const choose = (kind: DrawingKind) => {
    tools.set({ tool: kind, selectedId: null, handle: null });
    onTool();
  };
  const isAllHidden = list.length > 0 && list.every((drawing) => drawing.is_hidden);
  const free = list.filter((drawing) => !drawing.is_locked);
  return (
    <>
      <Menu.Root modal={false}>
        <Menu.Trigger className="btn btn-ghost btn-small" aria-pressed={tool !== null}>
          Draw{list.length > 0 && ` (${list.length})`} <ChevronDown size={14} aria-hidden="true" />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner align="start" sideOffset={4} collisionPadding={8} className="z-40">
            <Menu.Popup
              finalFocus={false}
              className="popup flex max-h-[min(560px,80dvh)] w-72 max-w-[calc(100vw-16px)] flex-col overflow-y-auto p-1 outline-none"
            >
              {drawingKinds.map((kind) => (
                <ToolItem key={kind} kind={kind} onChoose={choose} />
              ))}
              <Menu.Separator className="my-1 border-t border-line" />
              <Menu.CheckboxItem
                className="menu-item"
                checked={isMagnet}
                closeOnClick
                onCheckedChange={() => toggleMagnet(tools)}
              >
                <span className="flex-1">Magnet to candle prices</span>
                <span className="text-muted">{isMagnet ? 'on' : 'off'}</span>
              </Menu.CheckboxItem>
              {list.length > 0 && (
                <>
                  <Menu.Item
                    className="menu-item"
                    onClick={() => set.put(...list.map((each) => ({ ...each, is_hidden: !isAllHidden })))}
                  >
                    {isAllHidden ? 'Show all' : 'Hide all'}
                  </Menu.Item>
                  <Menu.Item
                    className="menu-item data-disabled:opacity-50"
                    disabled={free.length === 0}
                    onClick={() => set.remove(...free.map(({ id }) => id))}
                  >
                    Delete {formatMany(free.length, 'unlocked drawing')}
                  </Menu.Item>
                  <DrawingItems list={list} tools={tools} priceDecimals={priceDecimals} onChoose={onTool} />
                </>
              )}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {(canUndo || canRedo) && (
        <>
          <IconButton icon={Undo2} name="Undo drawing" isEnabled={canUndo} onPress={() => set.undo()} />
          <IconButton icon={Redo2} name="Redo drawing" isEnabled={canRedo} onPress={() => set.redo()} />
        </>
      )}
      {isOffline && waitingCount > 0 && (
        <span role="status" className="px-1 text-label text-warn">
          {formatMany(waitingCount, 'change')} of drawings stored here, sent when the server responds
        </span>
      )}
    </>
  );
}

function ToolItem({ kind, onChoose }: { kind: DrawingKind; onChoose: (kind: DrawingKind) => void }) {
  const Icon = icons[kind];
  return (
    <Menu.Item className="menu-item" onClick={() => onChoose(kind)}>
      <Icon size={14} aria-hidden="true" className="text-muted" />
      <span className="flex-1">{drawingNames[kind]}</span>
      <span className="kbd max-md:hidden">{shortcuts.get(kind)}</span>
    </Menu.Item>
  );
}

interface ItemsProps extends Pick<Props, 'tools' | 'priceDecimals'> {
  list: readonly Drawing[];
  onChoose: () => void;
}

/** Every drawing, the newest first: hidden ones and those out of sight are found here. */
function DrawingItems({ list, tools, priceDecimals, onChoose }: ItemsProps) {
  return (
    <Menu.Group>
      <Menu.GroupLabel className="px-2 pt-2 pb-1 text-label font-semibold text-muted">Drawings</Menu.GroupLabel>
      {list.toReversed().map(({ id, kind, text, anchors, is_locked, is_hidden }) => {
        const Icon = icons[kind];
        return (
          <Menu.Item
            key={id}
            className="menu-item"
            onClick={() => {
              tools.set({ tool: null, selectedId: id, handle: null });
              onChoose();
            }}
          >
            <Icon size={14} aria-hidden="true" className="text-muted" />
            <span className="flex-1 truncate">{text === '' ? drawingNames[kind] : text}</span>
            {is_hidden && <EyeOff size={14} aria-label="hidden" />}
            {is_locked && <Lock size={14} aria-label="locked" />}
            <span className="font-mono text-label text-muted">{formatFixed(anchors[0]?.price, priceDecimals)}</span>
          </Menu.Item>
        );
      })}
    </Menu.Group>
  );
}

interface IconButtonProps {
  icon: LucideIcon;
  name: string;
  isEnabled?: boolean;
  onPress: () => void;
}

export function IconButton({ icon: Icon, name, isEnabled = true, onPress }: IconButtonProps) {
  return (
    <button
      type="button"
      className="btn btn-ghost btn-small btn-icon disabled:opacity-50"
      aria-label={name}
      title={name}
      disabled={!isEnabled}
      onClick={onPress}
    >
      <Icon size={14} aria-hidden="true" />
    </button>
  );
}
