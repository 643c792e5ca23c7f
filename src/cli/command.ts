import { parseArgs } from 'node:util';
import { checkDetectors, detectIn } from '../services/policies.ts';
import { type PolicyCommandOptions, policyCheck, policyTest } from './policy.ts';
import { serve } from './serve.ts';

const usage = `usage: assize [serve]
       assize policy check [--json] FILE…
       assize policy test [--json] FILE…
`;

/** What was asked for on the command line. Answers the exit code, which 2 is for a wrong use; `serve` goes on. */
export async function command(args: readonly string[]): Promise<number> {
  const [first = 'serve', second = '', ...rest] = args;
  if (first === 'serve' && args.length <= 1) return serve();
  if (first === 'policy' && (second === 'check' || second === 'test')) {
    return policyCommand(second === 'check' ? policyCheck : policyTest, rest);
  }
  const help = first === 'help' || first === '--help' || first === '-h';
  (help ? process.stdout : process.stderr).write(usage);
  return help ? 0 : 2;
}

function policyCommand(
  run: (files: readonly string[], options: PolicyCommandOptions) => number,
  args: readonly string[],
): number {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { json: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    return run(positionals, {
      json: values.json,
      write: (text) => void process.stdout.write(text),
      checkCustomDetectors: checkDetectors,
      detect: detectIn,
    });
  } catch (error) {
    process.stderr.write(`assize: ${(error as Error).message}\n${usage}`);
    return 2;
  }
}
