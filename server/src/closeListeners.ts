import type { CloseListener } from './features/positions/closeHooks.ts';
import { forgetAnalyses } from './features/vision/visionRepository.ts';

/** Called when a position is closed, by its owner or by the watch. */
export const closeListeners: CloseListener[] = [forgetAnalyses];
