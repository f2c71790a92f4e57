/** Integer slot of a frame: a count. */
export function number(frame: usize, slot: i32): i32 {
  return load<i32>(frame + ((<usize>slot) << 2));
}

/** Address slot of a frame; 0 when the column is absent. */
export function column(frame: usize, slot: i32): usize {
  return <usize>load<u32>(frame + ((<usize>slot) << 2));
}

export function setSlot(frame: usize, slot: i32, value: usize): void {
  store<u32>(frame + ((<usize>slot) << 2), <u32>value);
}
