import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Http, path } from '../../client/http.ts';
import { documentIn } from '../../features/policies/cli-files.ts';
import {
  type AppliedPolicy,
  type Proved,
  proofOf,
  type ReadPolicy,
  readForProof,
} from '../../features/policies/proof.ts';
import type { BoundPolicy, HousePolicy, Policy, PolicySummary } from '../../features/policies/schema.ts';
import { type Comparison, compareVersions } from '../../policy/proof/compare.ts';
import { allHold } from '../../policy/proof/formula.ts';
import type { Proof, Question } from '../../policy/proof/question.ts';
import { type Answer, solve } from '../../policy/proof/solve.ts';
import type { Witness } from '../../policy/proof/witness.ts';
import { everyOne, idOf } from '../api/find.ts';
import { Exit, type ExitCode, exitCodes } from '../exit.ts';
import { scriptOf } from './smt.ts';

/** A policy under the file or the name that reports call it by. */
export interface NamedPolicy extends AppliedPolicy {
  readonly label: string;
}

export interface ProveOptions {
  /** The version before, to compare with. */
  against?: string;
  /** Whether the policies decide together, and each is proved in the company of the others. */
  together?: boolean;
  /** The policies in force that the files are drafts for; those decide together. */
  inForce?: readonly NamedPolicy[];
  strict?: boolean;
  json?: boolean;
  /** Uses no solver but the one that is built in. */
  intervals?: boolean;
  write: (text: string) => void;
}

interface FileReport extends Proved {
  file: string;
  /** Absent for policies that decide. */
  mode?: 'MONITOR';
}

interface LabelledPolicy extends ReadPolicy {
  readonly label: string;
}

/** The findings about each policy, and about all of them together. */
interface Reports {
  files: FileReport[];
  /** How the policies decide together, compared with before; `file` is the draft, or says that there are several. */
  together: { file: string; comparison: Comparison } | null;
}

/** Proves what policies say of themselves: rules that add nothing, their properties, and how they differ from the version before. */
export async function provePolicies(files: readonly string[], options: ProveOptions): Promise<ExitCode> {
  const { strict = false, json = false, write } = options;
  const sets = policySets(files, options);
  const solver = options.intervals ? intervals : ((await openZ3()) ?? intervals);
  try {
    const reports = await reportsOf(sets, solver);
    if (json) write(`${JSON.stringify({ solver: solver.name, ...reports }, null, 2)}\n`);
    else
      write(
        linesOfAll(reports)
          .map((line) => `${line}\n`)
          .join(''),
      );
    const comparisons = reports.together ? [reports.together] : [];
    const [failed, unknown] = [isFailed, isUnknown].map((is) => [...reports.files, ...comparisons].some(is));
    if (unknown && !json && solver.name === 'intervals' && !options.intervals)
      write(`Intervals and finite sets alone could not decide all of it. Z3 decides more: ${installLine}\n`);
    if (failed) return exitCodes.failed;
    return unknown && strict ? exitCodes.wrongUse : exitCodes.fine;
  } finally {
    solver.close();
  }
}

function readNamed({ label, ...policy }: NamedPolicy): LabelledPolicy {
  const read = readForProof(policy);
  if (typeof read === 'string')
    throw new Exit(
      exitCodes.wrongUse,
      `${label}: ${read}; assize policies check ${label} lists all mistakes`,
    );
  return { label, ...read };
}

/** Policies that decide together: each alone, or all of them. */
interface PolicySets {
  readonly sets: readonly (readonly LabelledPolicy[])[];
  /** The only set, as it was before; null when there is nothing to compare with. */
  readonly before: readonly LabelledPolicy[] | null;
  /** Whether the policies of a set are all that are in force. */
  readonly isWhole: boolean;
  /** How a comparison calls the set. */
  readonly label: string;
}

function policySets(files: readonly string[], options: ProveOptions): PolicySets {
  const { against, inForce, together = false } = options;
  // A policy that is looked at alone is taken as if it were enforced.
  const alone = !together && !inForce && { mode: 'ENFORCE' as const };
  const namedFile = (file: string): NamedPolicy => ({ label: file, text: documentIn(file).text, ...alone });
  const drafts = files.map(namedFile);
  const read = drafts.map(readNamed);
  const label = drafts.length === 1 ? (drafts[0] as NamedPolicy).label : 'together';
  if (inForce) {
    if (against !== undefined)
      throw new Exit(exitCodes.wrongUse, '--against: files are compared with what is in force already');
    const before = inForce.map(readNamed);
    const policies = withDrafts(before, inForce, drafts, read);
    return { sets: [policies], before: drafts.length > 0 ? before : null, isWhole: true, label };
  }
  if (against === undefined)
    return { sets: together ? [read] : read.map((one) => [one]), before: null, isWhole: together, label };
  if (!together && drafts.length !== 1)
    throw new Exit(exitCodes.wrongUse, '--against compares one policy: name one file, or add --together');
  const old = readNamed(namedFile(against));
  const isDraft = (one: LabelledPolicy) => read.length === 1 || nameOf(one) === nameOf(old);
  if (!read.some(isDraft))
    throw new Exit(
      exitCodes.wrongUse,
      `--against ${against}: none of the files is a policy named ${JSON.stringify(nameOf(old))}`,
    );
  const before = read.map((one) => (isDraft(one) ? old : one));
  return { sets: [read], before, isWhole: together, label };
}

const nameOf = ({ proved }: ReadPolicy): string => proved.document.name;

/** The policies in force, with the draft of each in its place, and drafts of others after them. */
function withDrafts(
  before: readonly LabelledPolicy[],
  inForce: readonly NamedPolicy[],
  drafts: readonly NamedPolicy[],
  read: readonly LabelledPolicy[],
): LabelledPolicy[] {
  const names = before.map(nameOf);
  const draftOf = (name: string) => drafts[read.findIndex((one) => nameOf(one) === name)];
  return [
    ...before.map((one, index) => {
      const draft = draftOf(nameOf(one));
      return draft ? readNamed({ ...(inForce[index] as NamedPolicy), ...draft }) : one;
    }),
    ...read.filter((one) => !names.includes(nameOf(one))),
  ];
}

async function reportsOf({ sets, before, isWhole, label }: PolicySets, solver: Solver): Promise<Reports> {
  const files: FileReport[] = [];
  for (const policies of sets) {
    const deciding = policies.filter(({ isEnforced }) => isEnforced);
    for (const policy of policies) {
      const index = deciding.indexOf(policy);
      const nothing = { rules: [], properties: [], mode: 'MONITOR' as const };
      const proof =
        index < 0 ? nothing : await prove(proofOf(deciding, index, { ruleSteps, isWhole }), solver);
      files.push({ file: policy.label, ...proof });
    }
  }
  if (before === null) return { files, together: null };
  const enforced = (policies: readonly LabelledPolicy[]) =>
    policies.filter(({ isEnforced }) => isEnforced).map(({ proved }) => proved);
  const comparison = await prove(compareVersions(enforced(before), enforced(sets[0] ?? [])), solver);
  return { files, together: { file: label, comparison } };
}

const linesOfAll = ({ files, together }: Reports): string[] => [
  ...files.flatMap((report) => linesOf(report, together !== null)),
  ...(together ? comparisonLines(together.file, together.comparison) : []),
];

function linesOf({ file, mode, rules, properties }: FileReport, isCompared: boolean): string[] {
  if (mode) return [`${file}: reports only (MONITOR), so it decides nothing`];
  if (rules.length === 0 && properties.length === 0)
    return isCompared ? [] : [`${file}: no rule is superfluous; it has no properties`];
  return [
    ...rules.map(({ line, column, message }) => `${file}:${line}:${column}: warning: ${message}`),
    ...properties.flatMap((property) => propertyLines(file, property)),
  ];
}

function propertyLines(file: string, found: FileReport['properties'][number]): string[] {
  const said = `${file}: ${JSON.stringify(found.name)}`;
  switch (found.verdict) {
    case 'PROVED':
      return [`${said}: proved`];
    case 'VIOLATED':
      return 'steps' in found
        ? [
            `${said}: violated in a new session after ${found.steps.length === 1 ? 'this step' : 'these steps'}`,
            ...found.steps.map((step) => `  ${JSON.stringify(step)}`),
          ]
        : [`${said}: violated: ${found.decision.enforcementAction} for`, `  ${given(found.witness)}`];
    case 'UNKNOWN':
      return [
        `${said}: unknown${found.induction && found.notModelled.length === 0 ? '' : reasons(found.notModelled)}`,
        ...(found.induction
          ? [
              '  it may stop holding after this action, in a session that may never come about:',
              `  ${given(found.induction)}`,
            ]
          : []),
      ];
    case 'PROVER_ERROR':
      return [`${said}: error of the prover: the engine does not confirm`, `  ${given(found.witness)}`];
  }
}

const given = (witness: Witness): string => `given: ${JSON.stringify(witness)}`;

const ruleSteps = 3_000_000;

/** Names at most of what is not modelled. */
const mostNamed = 5;

function reasons(notModelled: readonly string[]): string {
  if (notModelled.length === 0) return ': the search took too long';
  const named = notModelled.slice(0, mostNamed).map((source) => `\`${source}\``);
  const more = notModelled.length - named.length;
  return `: not modelled: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const sentences: Readonly<Record<Comparison['verdict'], string>> = {
  EQUAL: 'decides every action as before',
  STRICTER: 'is stricter than before',
  LAXER: 'is laxer than before',
  MIXED: 'is stricter than before for some actions, and laxer for others',
  UNKNOWN: 'cannot be compared for certain',
  PROVER_ERROR: 'error of the prover: the engine does not confirm a difference',
};

function comparisonLines(file: string, { verdict, stricter, laxer, notModelled }: Comparison): string[] {
  const why = verdict === 'UNKNOWN' ? reasons(notModelled) : '';
  const shown = [stricter, laxer].flatMap((one) =>
    one ? [`  ${one.before} before, ${one.after} now: ${given(one.witness)}`] : [],
  );
  return [`${file}: ${sentences[verdict]}${why}`, ...shown];
}

type Judged = Partial<Pick<FileReport, 'properties'>> & { comparison?: Comparison };

const isFailed = ({ properties = [], comparison }: Judged): boolean =>
  properties.some(({ verdict }) => verdict === 'VIOLATED' || verdict === 'PROVER_ERROR') ||
  comparison?.verdict === 'PROVER_ERROR';

const isUnknown = ({ properties = [], comparison }: Judged): boolean =>
  properties.some(({ verdict }) => verdict === 'UNKNOWN') || comparison?.verdict === 'UNKNOWN';

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

/** The policies that are in force for an integration: those of the house first, each with the terms it is bound with. */
export async function policiesInForce(http: Http, integration: string): Promise<NamedPolicy[]> {
  const id = await idOf(http, 'integrations', integration);
  const bound: { policy: PolicySummary; terms: Pick<HousePolicy, 'params' | 'mode'> }[] = [];
  for await (const { policy, params, mode } of everyOne<HousePolicy>(http, '/v1/house-policies'))
    bound.push({ policy, terms: { params, mode } });
  for await (const { binding, ...policy } of everyOne<BoundPolicy>(
    http,
    path`/v1/integrations/${id}/policies`,
  ))
    bound.push({ policy, terms: { params: binding.params, mode: binding.mode } });
  const found = new Map<string, NamedPolicy>();
  for (const { policy, terms } of bound) {
    if (policy.status !== 'ACTIVE') continue;
    // A policy that is bound to the house and to the integration with the same terms decides once.
    const key = JSON.stringify([policy.id, terms]);
    if (found.has(key)) continue;
    const { data } = await http.send<Policy>({ method: 'GET', path: path`/v1/policies/${policy.id}` });
    found.set(key, { label: policy.name, text: data.document, ...terms });
  }
  return [...found.values()];
}
