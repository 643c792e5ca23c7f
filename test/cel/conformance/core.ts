import { tests as suite } from '@bufbuild/cel-spec/testdata/conformance.js';

/** A test of the suite as it is stored: only the parts read here. */
export interface SuiteTest {
  readonly original: {
    readonly name: string;
    readonly expr: string;
    readonly disableCheck?: boolean;
    readonly container?: string;
    readonly typeEnv?: readonly { name: string; ident?: { type: unknown } }[];
    readonly bindings?: Readonly<Record<string, { value?: Readonly<Record<string, unknown>> }>>;
    readonly value?: Readonly<Record<string, unknown>>;
    readonly evalError?: unknown;
  };
  /** The type cel-go inferred, as text; absent when its checker refused the text or was not asked. */
  readonly type?: string;
}
export interface CoreTest {
  readonly section: string;
  readonly path: string;
  readonly test: SuiteTest;
}
interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly SuiteTest[];
}

const SECTIONS = new Set(
  'basic comparisons conversions fields fp_math integer_math lists logic macros parse plumbing string timestamps bindings_ext'.split(
    ' ',
  ),
);

/**
 * The JSON core of the suite, 687 tests: everything that JSON data can meet. The filter reads the source of the tests,
 * so it lets 16 with unusual spellings of uint and bytes literals through (0U, 0x1u, B"", br""); they count and fail.
 */
export function coreTests(): CoreTest[] {
  return testsIn(SECTIONS);
}

/** The extensions this profile has, counted apart: under the same filter, without functions it leaves out. */
export function extensionTests(): CoreTest[] {
  const absent = /\bmath\.bit/;
  return testsIn(new Set(['macros2', 'optionals', 'string_ext', 'math_ext'])).filter(
    ({ test }) => !absent.test(test.original.expr),
  );
}

function testsIn(sections: ReadonlySet<string>): CoreTest[] {
  return (suite as unknown as Suite).suites
    ?.filter(({ name }) => sections.has(name))
    .flatMap((section) => testsOf(section, section.name, section.name))
    .filter(({ test }) => isCore(test)) as CoreTest[];
}

function testsOf(suite: Suite, section: string, path: string): CoreTest[] {
  const own = (suite.tests ?? []).map((test) => ({ section, path: `${path}/${test.original.name}`, test }));
  return [
    ...own,
    ...(suite.suites ?? []).flatMap((inner) => testsOf(inner, section, `${path}/${inner.name}`)),
  ];
}

const TIMES = /(type\.googleapis\.com\/)?google\.protobuf\.(Timestamp|Duration)/g;
const EXCLUDED_SOURCES: readonly RegExp[] = [
  /\b\d+u\b/,
  /\buint\b|\bbytes\b/,
  /(?<![\w'"])b['"]/,
  /\btype\(/,
  /^(int|double|string|bool|list|map|null_type|type|timestamp|duration|dyn)$/,
  /\d{16,}/,
  /0[xX][0-9a-fA-F]{16,}/,
];

function isCore({ original }: SuiteTest): boolean {
  if (original.disableCheck || original.container) return false;
  const data = JSON.stringify([original.typeEnv, original.bindings, original.value]);
  const all = (original.expr + data).replace(TIMES, '');
  if (/google\.|TestAllTypes|enumValue|typeValue|"type":\{"type"/.test(all)) return false;
  if (/uint64Value|bytesValue|UINT64|BYTES/.test(JSON.stringify([original.typeEnv, original.bindings])))
    return false;
  const names = [
    ...(original.typeEnv ?? []).map(({ name }) => name),
    ...Object.keys(original.bindings ?? {}),
  ];
  if (names.some((name) => name.includes('.'))) return false;
  return !EXCLUDED_SOURCES.some((pattern) => pattern.test(original.expr.trim()));
}
