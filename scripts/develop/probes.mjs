import { globSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

// Probes in code that is tested: each function, each branch, and each statement behind one that may end early writes a byte when it is reached.
// A library counts each statement by a call, and code that scans texts spends most of its time in such calls. Processor time of test/detectors, in
// turns on one machine: 16 s without coverage, 18 to 19 s with these probes, 43 to 44 s with istanbul-lib-instrument 6.0.3, 41 s with V8's own
// coverage, whose files would have to be merged as well. A library that takes at most 1.3 times as long as the probes should replace them.

const require = createRequire(import.meta.url);

/** The tests of these need a browser, a server of PostgreSQL, or what is built. */
const elsewhere = ['src/console/**', 'src/**/postgres/**', 'src/binary/**', 'src/main.ts', 'src/adapters/**'];

/** The place of each module's bytes among those of all modules: a byte for the module, and one for each of its characters. */
export function placesOfProbes(root) {
  const places = new Map();
  let size = 0;
  for (const name of globSync('src/**/*.ts', { cwd: root, exclude: elsewhere }).sort()) {
    const length = statSync(`${root}/${name}`).size + 1;
    places.set(name.replaceAll('\\', '/'), { start: size, length });
    size += length;
  }
  return { places, size };
}

/**
 * Lets modules with probes find their bytes, which the threads of a process share, and writes them into `folder` when the process ends. Returns
 * whether a module, by its name, has probes.
 */
export function openProbes(root, folder) {
  if (isMainThread) {
    const { places, size } = placesOfProbes(root);
    const bytes = new Uint8Array(new SharedArrayBuffer(size));
    setEnvironmentData('probes', { places, bytes });
    mkdirSync(folder, { recursive: true });
    process.on('exit', () => writeFileSync(`${folder}/${process.pid}`, bytes));
  }
  const { places, bytes } = getEnvironmentData('probes');
  globalThis.probesOf = (name) => {
    const { start, length } = places.get(name);
    return bytes.subarray(start, start + length);
  };
  return (name) => places.has(name);
}

/**
 * Adds probes to the code of a module, each line kept in its place, and returns the regions [start, end] of `code` that they stand for. The probe of a
 * region sets byte `start + 1` of `probesOf(name)`; byte 0 is the module's. A character was reached when the innermost region around it was.
 */
export function withProbes(code, name) {
  const ts = require('typescript');
  const { SyntaxKind: kinds, isBlock, isCaseOrDefaultClause, isFunctionLike, isStatement } = ts;
  const options = {
    languageVersion: ts.ScriptTarget.ESNext,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  };
  const source = ts.createSourceFile('module.js', code, options, false, ts.ScriptKind.JS);
  const regions = [];
  const inserted = [];
  const insert = (at, text) => inserted.push({ at, text });
  const probe = (start) => `$reached[${start + 1}]=1`;

  const loops = new Set([
    kinds.ForStatement,
    kinds.ForInStatement,
    kinds.ForOfStatement,
    kinds.WhileStatement,
    kinds.DoStatement,
  ]);
  const declarations = new Set([
    kinds.FunctionDeclaration,
    kinds.ImportDeclaration,
    kinds.ExportDeclaration,
    kinds.ExportAssignment,
  ]);
  const choices = new Set([kinds.AmpersandAmpersandToken, kinds.BarBarToken, kinds.QuestionQuestionToken]);
  /** Whether the statement may be reached and the one behind it not. An error that a call throws does not count. */
  const mayEnd = (statement) =>
    !(
      declarations.has(statement.kind) ||
      statement.kind === kinds.ClassDeclaration ||
      statement.kind === kinds.ExpressionStatement ||
      statement.kind === kinds.VariableStatement
    ) || /\b(await|yield)\b/.test(code.slice(statement.pos, statement.end));

  /** The region from `start` to the end of `node`: a block, another statement, or an expression. */
  function addRegion(node, start) {
    const own = node.getStart(source);
    regions.push([start, node.end]);
    if (isBlock(node)) insert(own + 1, `${probe(start)};`);
    else {
      insert(own, isStatement(node) ? `{${probe(start)};` : `(${probe(start)},`);
      insert(node.end, isStatement(node) ? '}' : ')');
    }
  }

  function addFunction({ body, modifiers }, start) {
    const exported = modifiers?.find(({ kind }) => kind === kinds.ExportKeyword);
    if (body) addRegion(body, exported ? exported.end + 1 : start);
  }

  function addStatements(statements) {
    let hasEnded = false;
    for (const statement of statements) {
      if (hasEnded && !declarations.has(statement.kind)) {
        const start = statement.getStart(source);
        regions.push([start, statements.end]);
        insert(start, `${probe(start)};`);
        hasEnded = false;
      }
      hasEnded ||= mayEnd(statement);
    }
  }

  /** Each branch, and where its region starts: with the word or the operator before it, where there is one. */
  function branchesOf(node) {
    const from = (token) => token.getStart(source);
    if (loops.has(node.kind)) return [[node.statement, from(node.statement)]];
    if (node.kind === kinds.IfStatement)
      return [
        [node.thenStatement, from(node.thenStatement)],
        [node.elseStatement, node.thenStatement.end],
      ];
    if (node.kind === kinds.ConditionalExpression)
      return [
        [node.whenTrue, from(node.questionToken)],
        [node.whenFalse, from(node.colonToken)],
      ];
    if (node.kind === kinds.CatchClause) return [[node.block, from(node)]];
    if (node.kind === kinds.TryStatement) return [[node.finallyBlock, node.finallyBlock?.pos]];
    return node.kind === kinds.BinaryExpression && choices.has(node.operatorToken.kind)
      ? [[node.right, from(node.operatorToken)]]
      : [];
  }

  function addClause(node) {
    const start = node.getStart(source);
    regions.push([start, node.end]);
    insert(node.statements[0]?.getStart(source) ?? node.end, `${probe(start)};`);
  }

  function visit(node) {
    if (isFunctionLike(node)) addFunction(node, node.getStart(source));
    for (const [one, start] of branchesOf(node)) if (one) addRegion(one, start);
    if (isCaseOrDefaultClause(node)) addClause(node);
    if (node.statements) addStatements(node.statements);
    ts.forEachChild(node, visit);
  }
  visit(source);

  inserted.sort((a, b) => a.at - b.at);
  let [text, at] = [`const $reached=globalThis.probesOf(${JSON.stringify(name)});$reached[0]=1;`, 0];
  for (const one of inserted) {
    text += code.slice(at, one.at) + one.text;
    at = one.at;
  }
  return { code: text + code.slice(at), regions };
}
