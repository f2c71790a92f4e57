// `columns` is the address of i32[6]: the addresses of time, open, high, low, close and volume.

export function timeOf(columns: usize): usize {
  return load<usize>(columns);
}

export function openOf(columns: usize): usize {
  return load<usize>(columns, 4);
}

export function highOf(columns: usize): usize {
  return load<usize>(columns, 8);
}

export function lowOf(columns: usize): usize {
  return load<usize>(columns, 12);
}

export function closeOf(columns: usize): usize {
  return load<usize>(columns, 16);
}

export function volumeOf(columns: usize): usize {
  return load<usize>(columns, 20);
}
