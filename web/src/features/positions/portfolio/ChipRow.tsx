import { useSnapshot } from 'valtio';
import { Segments } from '../../../ui/Segments.tsx';
import { chipNames, chips } from './chips.ts';
import { portfolioState } from './portfolioState.ts';

/** The same choice for open and closed positions. */
export function ChipRow() {
  const { chip } = useSnapshot(portfolioState);
  return (
    <div className="relative overflow-x-auto border-b border-line p-2">
      <div className="w-max">
        <Segments
          label="Positions shown"
          isSmall
          isFitted
          options={chips}
          value={chip}
          nameOf={(each) => chipNames[each]}
          onSelect={(each) => (portfolioState.chip = each)}
        />
      </div>
    </div>
  );
}
