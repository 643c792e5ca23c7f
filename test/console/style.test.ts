import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { root } from '../helpers/process.ts';

const folder = join(root, 'src/console');
const tokens = readFileSync(join(folder, 'style/tokens.css'), 'utf8');
const sheets = globSync('style/**/*.css', { cwd: folder }).filter((file) => !file.endsWith('tokens.css'));

type Colour = [red: number, green: number, blue: number];
type Theme = 'light' | 'dark';
const themes = ['light', 'dark'] as const;

/** The colour of a token in a theme, from 0 to 1 and linear in light. */
function colourOf(name: string, theme: Theme): Colour {
  const found = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens);
  const hex = found?.[theme === 'light' ? 1 : 2];
  if (!hex) throw new Error(`no colour --${name}`);
  return [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Colour;
}

type Matrix = readonly (readonly number[])[];
const through = (matrix: Matrix, values: readonly number[]): Colour =>
  matrix.map((row) => row.reduce((sum, factor, place) => sum + factor * (values[place] ?? 0), 0)) as Colour;

const luminance = (colour: Colour): number => through([[0.2126, 0.7152, 0.0722]], colour)[0];

/** As WCAG defines it. */
function contrast(one: Colour, other: Colour): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

const toCones = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const toOklab = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

/** The distance in OKLab, times 100: 2 is just seen. */
function difference(one: Colour, other: Colour): number {
  const [a, b] = [one, other].map((colour) =>
    through(
      toOklab,
      through(
        toCones,
        colour.map((part) => Math.min(1, Math.max(0, part))),
      ).map(Math.cbrt),
    ),
  ) as [Colour, Colour];
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** How linear colours look to a person, by Machado, Oliveira and Fernandes 2009, at full severity. */
const sights: Record<string, Matrix> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
const decisions = ['allow', 'warn', 'hold', 'block'];

t.test('the four decisions are told apart by everybody, in both themes', async (t) => {
  for (const theme of themes) {
    for (const [sight, matrix] of Object.entries(sights)) {
      for (const [place, one] of decisions.entries()) {
        for (const other of decisions.slice(place + 1)) {
          const [a, b] = [one, other].map((name) => through(matrix, colourOf(name, theme)));
          const found = difference(a as Colour, b as Colour);
          t.ok(found >= 8, `${theme}, ${sight}: ${one} and ${other} differ by ${found.toFixed(1)}`);
        }
      }
    }
  }
});

t.test('text has a contrast of 4.5 on every surface, and what bounds a field one of 3', async (t) => {
  const surfaces = ['ground', 'panel', 'sunken', 'hover'];
  for (const theme of themes) {
    for (const surface of surfaces) {
      const behind = colourOf(surface, theme);
      for (const ink of ['ink', 'muted', 'accent', ...decisions]) {
        const found = contrast(colourOf(ink, theme), behind);
        t.ok(found >= 4.5, `${theme}: ${ink} on ${surface} ${found.toFixed(2)}`);
      }
      const found = contrast(colourOf('strong-line', theme), behind);
      t.ok(found >= 3, `${theme}: strong-line on ${surface} ${found.toFixed(2)}`);
    }
    const onAccent = contrast(colourOf('on-accent', theme), colourOf('accent', theme));
    t.ok(onAccent >= 4.5, `${theme}: on-accent on accent ${onAccent.toFixed(2)}`);
  }
});

/** Properties whose values are tokens; the place and the extent of an element are its own. */
const ofTokens =
  /^(color|background(-color)?|border(-\w+)*|outline(-\w+)?|box-shadow|font(-size|-weight|-family)?|letter-spacing|padding(-\w+)*|margin(-\w+)*|(row-|column-)?gap|fill|stroke|transition|animation)$/;
const literal =
  /#[\da-f]{3,8}\b|\b(rgb|hsl|oklch|color-mix|light-dark)a?\(|\b\d*\.?\d+(px|rem|em|ms|s)\b|\b[1-9]00\b/i;

t.test('sizes, colours and times are tokens, and every token that is used is there', async (t) => {
  const used = new Set<string>();
  for (const file of sheets) {
    const css = readFileSync(join(folder, file), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
    for (const [, property = '', value = ''] of css.matchAll(/([\w-]+):\s*([^;{}]+);/g)) {
      for (const [, name = ''] of value.matchAll(/var\(--([\w-]+)/g)) used.add(name);
      if (ofTokens.test(property) && literal.test(value)) t.fail(`${file}: ${property}: ${value}`);
    }
  }
  const defined = new Set([...tokens.matchAll(/--([\w-]+):/g)].map(([, name]) => name));
  // By the table itself.
  const missing = [...used].filter((name) => !defined.has(name) && !/^column-\d$/.test(name));
  t.strictSame(missing, []);
  for (const file of globSync('**/*.{ts,tsx}', { cwd: folder, exclude: ['identity/**'] })) {
    const found = /(['"`])#[\da-fA-F]{6}\1|fontSize: '\d|rgba?\(\d/.exec(
      readFileSync(join(folder, file), 'utf8'),
    );
    if (found) t.fail(`${file}: ${found[0]}`);
  }
});

t.test('type has six sizes, and space eight steps', async (t) => {
  const count = (pattern: RegExp) => [...tokens.matchAll(pattern)].length;
  t.equal(count(/--text-(xs|s|m|l|xl|xxl): [\d.]+rem;/g), 6);
  t.equal(count(/--text-\w+:/g), 7, 'and that of code, beside others');
  t.equal(count(/--s\d: \d+px;/g), 8);
});
