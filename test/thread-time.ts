/** The milliseconds of processor time that this thread takes for some work; other work on the machine hardly counts. */
export function threadTimeOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
