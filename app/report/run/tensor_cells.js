// SPDX-License-Identifier: Apache-2.0
// The cells of a tensor memory at a cycle, from the writes and shifts that changed them: where the content of each came from.
"use strict";

{
  const lanes = 128;
  const columns = 512;
  const chunkLanes = 32;
  const mostCheckpoints = 32;

  // changes: [[cycle, kind (0: write, 1: shift, 2: clear), first lane, lanes, first column, columns, text]...] by cycle.
  tcsim.tensorCells = (changes) => {
    const empty = () => ({sources: new Uint8Array(lanes * columns), writers: new Int32Array(lanes * columns).fill(-1), next: 0});
    let state = empty();
    const checkpoints = [empty()];
    const copyOf = ({sources, writers, next}) => ({sources: sources.slice(), writers: writers.slice(), next});
    const distance = Math.max(256, Math.ceil(changes.length / mostCheckpoints));

    const apply = (index) => {
      const [, kind, firstLane, laneCount, firstColumn, columnCount] = changes[index];
      const {sources, writers} = state;
      for (let lane = firstLane; lane < Math.min(lanes, firstLane + laneCount); ++lane) {
        const row = lane * columns;
        const end = row + Math.min(columns, firstColumn + columnCount);
        if (kind === 0) {
          sources.fill(lane, row + firstColumn, end);
          writers.fill(index, row + firstColumn, end);
        } else if (kind === 2) {
          writers.fill(-1, row + firstColumn, end);
        } else if (lane % chunkLanes !== chunkLanes - 1) {  // the last lane of a chunk keeps what it has
          sources.copyWithin(row + firstColumn, row + columns + firstColumn, end + columns);
          writers.copyWithin(row + firstColumn, row + columns + firstColumn, end + columns);
        }
      }
    };

    // How many changes there are up to and with a cycle.
    const countAt = (cycle) => {
      let [low, high] = [0, changes.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (changes[middle][0] <= cycle)
          low = middle + 1;
        else
          high = middle;
      }
      return low;
    };

    const goTo = (cycle) => {
      const wanted = countAt(cycle);
      if (wanted < state.next) state = copyOf(checkpoints[Math.min(checkpoints.length - 1, Math.floor(wanted / distance))]);
      while (state.next < wanted) {
        apply(state.next++);
        if (state.next === checkpoints.length * distance) checkpoints.push(copyOf(state));
      }
      return wanted;
    };

    return {
      lanes,
      columns,
      goTo,
      countAt,
      // {source: lane in which the content was written, change: index, or -1 of an empty cell}
      cell: (lane, column) => ({source: state.sources[lane * columns + column], change: state.writers[lane * columns + column]}),
    };
  };
}
