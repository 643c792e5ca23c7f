import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { allHold } from '../../policy/proof/formula.ts';
import type { Proof, Question } from '../../policy/proof/question.ts';
import { type Answer, solve } from '../../policy/proof/solve.ts';
import { scriptOf } from './smt.ts';

/** Answers the questions of proofs. */
export interface Solver {
  readonly name: 'z3' | 'intervals';
  answer(question: Question): Promise<Answer>;
  close(): void;
}

/** The line that installs what intervals and finite sets cannot answer. It is 35 MB, which most who run the service never need. */
export const installLine = 'npm install --no-save z3-solver@5.2.0';

/** The parts of the package `z3-solver` that are used. */
interface Z3Package {
  init(): Promise<{
    Z3: {
      mk_config(): object;
      mk_context(config: object): object;
      eval_smtlib2_string(context: object, text: string): Promise<string>;
    };
    em: { PThread: { terminateAllThreads(): void } };
  }>;
}

/** Steps of a question, some 2 s. */
const mostSteps = 2_000_000;
const z3TimeoutMs = 5_000;

const byIntervals = ({ formulas, symbols }: Question, steps: number): Answer =>
  solve(formulas, symbols, { left: steps });

export const intervals: Solver = {
  name: 'intervals',
  answer: async (question) => byIntervals(question, mostSteps),
  close() {},
};

/** Null when the package is not there: it is looked for beside the program, then in the folder of the command. */
export async function openZ3(): Promise<Solver | null> {
  const found =
    packageFrom(import.meta.url) ?? packageFrom(pathToFileURL(join(process.cwd(), 'package.json')).href);
  if (found === null) return null;
  const { Z3, em } = await found.init();
  const context = Z3.mk_context(Z3.mk_config());
  return {
    name: 'z3',
    async answer(question) {
      // Most questions are easy, and intervals answer them without a second thread.
      const easy = byIntervals(question, mostSteps / 40);
      if (easy.kind !== 'unknown') return easy;
      const script = scriptOf(question, z3TimeoutMs);
      const [said = '', ...values] = (await Z3.eval_smtlib2_string(context, script.text)).split('\n');
      if (said === 'unsat') return { kind: 'never' };
      if (said !== 'sat') return { kind: 'unknown' };
      const model = script.read(values.join('\n'));
      return allHold(question.formulas, model) ? { kind: 'sometimes', model } : { kind: 'unknown' };
    },
    close: () => em.PThread.terminateAllThreads(),
  };
}

function packageFrom(from: string): Z3Package | null {
  try {
    return createRequire(from)('z3-solver') as Z3Package;
  } catch {
    return null;
  }
}

/** Runs a proof to its end. */
export async function prove<Result>(proof: Proof<Result>, solver: Solver): Promise<Result> {
  let found = proof.next();
  while (!found.done) found = proof.next(await solver.answer(found.value));
  return found.value;
}
