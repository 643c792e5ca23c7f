import { command } from '../../src/cli/command.ts';

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Runs a command line as the process would, and answers what it wrote. */
export async function run(
  args: readonly string[],
  { terminal = false, columns }: { terminal?: boolean; columns?: number } = {},
): Promise<Ran> {
  const written = { out: '', err: '' };
  const sink = (name: 'out' | 'err') => ({
    isTTY: terminal,
    ...(columns !== undefined && { columns }),
    write(text: string) {
      written[name] += text;
    },
  });
  const code = await command(args, { stdout: sink('out'), stderr: sink('err') });
  return { code, ...written };
}
