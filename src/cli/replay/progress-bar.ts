import type { Output } from '../output/output.ts';

const width = 30;

/** One line that is written over again, for people on a terminal. */
export function progressBar({ terminal }: Pick<Output, 'terminal'>) {
  let isShown = false;
  return {
    show({ evaluations, total }: { evaluations: number; total: number }): void {
      if (!terminal) return;
      const share = total === 0 ? 1 : evaluations / total;
      const done = Math.round(share * width);
      const bar = `${'█'.repeat(done)}${'░'.repeat(width - done)}`;
      process.stderr.write(`\r\u001b[K${bar} ${Math.floor(share * 100)} %  ${evaluations} of ${total}`);
      isShown = true;
    },
    clear(): void {
      if (isShown) process.stderr.write('\r\u001b[K');
      isShown = false;
    },
  };
}
