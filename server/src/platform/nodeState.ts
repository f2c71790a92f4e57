/** What this process does now. `draining`: it stops, still responds, and reports that it is not ready. */
export interface NodeState {
  phase: 'starting' | 'serving' | 'draining';
}

export const createNodeState = (): NodeState => ({ phase: 'starting' });
