declare const process: { cpuUsage(since?: { user: number; system: number }): { user: number; system: number } };

/**
 * How many times the work of `small` the work of `large` takes, in processor time. The machine may be shared, so
 * it is measured again, up to three times, until it is below `enough`.
 */
export function growth(enough: number, small: () => unknown, large: () => unknown): number {
  small();
  let least = Infinity;
  for (let attempt = 0; attempt < 3 && least >= enough; attempt++) {
    least = Math.min(least, spent(large) / Math.max(spent(small), 1000));
  }
  return least;
}

/** Seconds of the processor that work takes, however long it has to wait for one. */
export const processorSeconds = (work: () => unknown) => spent(work) / 1e6;

function spent(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
