import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript';
import manifest from '../../clients/typescript/package.json' with { type: 'json' };

// What other programs import (`exports` of assize-client): the client and the adapters, each one file without dependencies of
// its own, and their types. client-package.mjs lays the package out from them.
const root = resolve(import.meta.dirname, '../..');
const outdir = resolve(process.argv[2] ?? 'lib');
/** Without ending: `client/index` is built from src/client/index.ts. */
const entries = Object.values(manifest.exports).flatMap(
  (entry) => /^\.\/(.+)\.js$/.exec(entry.default ?? '')?.[1] ?? [],
);
const folders = new Set(entries.map((entry) => dirname(entry)));

await build({
  absWorkingDir: root,
  entryPoints: entries.map((entry) => ({ in: `src/${entry}.ts`, out: entry })),
  outdir,
  bundle: true,
  platform: 'neutral',
  format: 'esm',
  target: 'es2022',
  external: Object.keys(manifest.peerDependencies),
  logLevel: 'warning',
});

/** Where TypeBox's types are computed away: a program that imports the client has no TypeBox. */
const plain = 'schemas.d.ts';
const sources = /(?:^|\/)(?:schemas\/[\w-]+|features\/[\w-]+\/(?:schema|words)|errors)\.ts$/;

const program = ts.createProgram(
  entries.map((entry) => join(root, `src/${entry}.ts`)),
  {
    ...ts.parseJsonConfigFileContent(
      ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
      ts.sys,
      root,
    ).options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: join(root, 'src'),
    outDir: outdir,
  },
);
const checker = program.getTypeChecker();
const used = new Set();

for (const file of program.getSourceFiles()) {
  const place = relative(join(root, 'src'), file.fileName);
  if (!folders.has(dirname(place))) continue;
  program.emit(file, (path, text) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, withPlainTypes(path, text));
  });
}
const types = ts.createSourceFile(plain, [...used].sort().map(declare).join('\n'), ts.ScriptTarget.ES2022);
writeFileSync(join(outdir, 'client', plain), ts.createPrinter().printFile(types));

/** Every import from the schemas becomes one from the plain types, and every other one names what is emitted. */
function withPlainTypes(path, text) {
  const toPlain = path.startsWith(join(outdir, 'client')) ? './schemas.js' : '../client/schemas.js';
  return text.replace(/(\{[^{}]*\})?( from )'(\.[^']+)\.ts'/g, (all, names, from, target) => {
    if (!sources.test(`${target}.ts`)) return all.replace(".ts'", ".js'");
    for (const name of names.match(/\w+/g)) if (name !== 'type') used.add(name);
    return `${names}${from}'${toPlain}'`;
  });
}

function declare(name) {
  for (const file of program.getSourceFiles()) {
    if (!sources.test(file.fileName) || file.fileName.includes('node_modules')) continue;
    const symbol = checker
      .getExportsOfModule(checker.getSymbolAtLocation(file))
      .find((one) => one.name === name);
    if (symbol) return `export type ${name} = ${expand(checker.getDeclaredTypeOfSymbol(symbol))};`;
  }
  throw new Error(`no schema exports ${name}`);
}

function expand(type) {
  const flags = ts.TypeFormatFlags;
  return checker.typeToString(
    type,
    undefined,
    flags.NoTruncation | flags.InTypeAlias | flags.UseSingleQuotesForStringLiteralType,
  );
}
