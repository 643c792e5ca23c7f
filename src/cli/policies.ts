import type { Command } from 'commander';
import { Exit, exitCodes } from './exit.ts';
import type { Io } from './io.ts';

export function addPolicies(program: Command, io: Io): void {
  const policies = program.command('policies').alias('policy').summary('check, test and change policies');
  for (const [verb, summary] of [
    ['check', 'say everything that is wrong with policy files'],
    ['test', 'run the tests in policy files'],
  ] as const) {
    policies
      .command(verb)
      .summary(summary)
      .argument('<file...>', 'policy documents, YAML or JSON')
      .option('--json', 'print one JSON document')
      .action(async (files: string[], { json = false }: { json?: boolean }) => {
        const { policyCheck, policyTest } = await import('./policies/check.ts');
        const { checkDetectors, detectIn } = await import('../services/policies.ts');
        const code = (verb === 'check' ? policyCheck : policyTest)(files, {
          json,
          write: (text) => void io.stdout.write(text),
          checkCustomDetectors: checkDetectors,
          detect: detectIn,
        });
        if (code !== exitCodes.fine) throw new Exit(code);
      });
  }
}
