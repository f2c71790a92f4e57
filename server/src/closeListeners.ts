import type { CloseListener } from './features/positions/closeHooks.ts';
import { forgetAnalyses } from './features/vision/visionRepository.ts';

/** What follows from the close of a position, by its owner or by the watch. */
export const closeListeners: CloseListener[] = [forgetAnalyses];
