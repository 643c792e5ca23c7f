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

type Z3Object = { readonly __brand: 'Z3' };

/** The functions of Z3's C interface that are used, under their names there without `Z3_`. */
interface Z3Functions {
  mk_config(): Z3Object;
  set_param_value(config: Z3Object, name: string, value: string): void;
  mk_context(config: Z3Object): Z3Object;
  set_ast_print_mode(context: Z3Object, mode: number): void;
  parse_smtlib2_string(context: Z3Object, text: string, ...symbols: [[], [], [], []]): Z3Object;
  get_error_code(context: Z3Object): number;
  get_error_msg(context: Z3Object, code: number): string;
  ast_vector_inc_ref(context: Z3Object, vector: Z3Object): void;
  ast_vector_dec_ref(context: Z3Object, vector: Z3Object): void;
  ast_vector_size(context: Z3Object, vector: Z3Object): number;
  ast_vector_get(context: Z3Object, vector: Z3Object, index: number): Z3Object;
  mk_solver(context: Z3Object): Z3Object;
  solver_inc_ref(context: Z3Object, solver: Z3Object): void;
  solver_dec_ref(context: Z3Object, solver: Z3Object): void;
  solver_assert(context: Z3Object, solver: Z3Object, formula: Z3Object): void;
  /** 1 for satisfiable, -1 for unsatisfiable, 0 for unknown. */
  solver_check(context: Z3Object, solver: Z3Object): Promise<number>;
  solver_get_model(context: Z3Object, solver: Z3Object): Z3Object;
  model_to_string(context: Z3Object, model: Z3Object): string;
}

interface Z3Package {
  init(): Promise<{ Z3: Z3Functions; em: { PThread: { terminateAllThreads(): void } } }>;
}

/** Prints models as SMT-LIB 2. */
const smtLib2 = 2;

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

/**
 * Null when the package is not there: it is looked for beside the program, then in the folder of the command. Intervals take `easySteps` at
 * every question first.
 */
export async function openZ3(folder = process.cwd(), easySteps = mostSteps / 40): Promise<Solver | null> {
  const found = packageFrom(import.meta.url) ?? packageFrom(pathToFileURL(join(folder, 'package.json')).href);
  if (found === null) return null;
  const { Z3, em } = await found.init();
  const config = Z3.mk_config();
  Z3.set_param_value(config, 'timeout', String(z3TimeoutMs));
  const context = Z3.mk_context(config);
  Z3.set_ast_print_mode(context, smtLib2);
  return {
    name: 'z3',
    async answer(question) {
      // Most questions are easy, and intervals answer them without a second thread.
      const easy = byIntervals(question, easySteps);
      if (easy.kind !== 'unknown') return easy;
      const script = scriptOf(question);
      const { found: said, model: printed } = await check(Z3, context, script.text);
      if (said === -1) return { kind: 'never' };
      if (said !== 1) return { kind: 'unknown' };
      const model = script.read(printed);
      return allHold(question.formulas, model) ? { kind: 'sometimes', model } : { kind: 'unknown' };
    },
    close: () => em.PThread.terminateAllThreads(),
  };
}

/** Text is only given to functions that return at once: the ones that do not would read it after it is gone. */
async function check(
  Z3: Z3Functions,
  context: Z3Object,
  text: string,
): Promise<{ found: number; model: string }> {
  const formulas = Z3.parse_smtlib2_string(context, text, [], [], [], []);
  const error = Z3.get_error_code(context);
  if (error !== 0) throw new Error(`Z3 cannot read a formula: ${Z3.get_error_msg(context, error)}`);
  Z3.ast_vector_inc_ref(context, formulas);
  const solver = Z3.mk_solver(context);
  Z3.solver_inc_ref(context, solver);
  for (let index = 0; index < Z3.ast_vector_size(context, formulas); index++)
    Z3.solver_assert(context, solver, Z3.ast_vector_get(context, formulas, index));
  const found = await Z3.solver_check(context, solver);
  const model = found === 1 ? Z3.model_to_string(context, Z3.solver_get_model(context, solver)) : '';
  Z3.solver_dec_ref(context, solver);
  Z3.ast_vector_dec_ref(context, formulas);
  return { found, model };
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
