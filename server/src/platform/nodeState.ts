/** What this process does now. `draining`: it was told to stop, still responds, and reports that it is not ready. */
export interface NodeState {
  phase: 'starting' | 'serving' | 'draining';
}

export const createNodeState = (): NodeState => ({ phase: 'starting' });
