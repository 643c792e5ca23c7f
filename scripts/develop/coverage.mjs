import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripped } from './quick-modules.mjs';

// Lines that tests reached, by what V8 counted: NODE_V8_COVERAGE. Stripping types keeps every character's place.

/**
 * Percent of the lines that must be reached. Pure code but for a few lines, which
 * another tier reaches or none; elsewhere what is left are the branches of a failing machine, and the process
 * itself, which the tests of the built tier run as a program of its own.
 */
const floors = {
  'src/cel/': 100,
  'src/policy/': 99.9,
  'src/detectors/': 99.9,
  'src/': 95,
};

/** The tests of these need a browser, a server of PostgreSQL, or what is built. */
const elsewhere = ['src/console/**', 'src/**/postgres/**', 'src/binary/**', 'src/main.ts', 'src/adapters/**'];

/** Prints how many lines the processes reached that wrote into `folder`. False when that is below a floor. */
export function holdsFloors(folder) {
  const reached = reachedLines(folder);
  const files = globSync('src/**/*.ts', { exclude: elsewhere }).map((file) => file.replaceAll('\\', '/'));
  const counted = files.map((file) => {
    const lines = codeLines(stripped(readFileSync(file, 'utf8')));
    const missing = lines.filter((line) => !reached.get(file)?.has(line));
    return { file, lines: lines.length, missing };
  });
  const missed = Object.entries(floors).filter(([place, floor]) => {
    const inside = counted.filter(({ file }) => file.startsWith(place));
    const lines = inside.reduce((sum, { lines }) => sum + lines, 0);
    const left = inside.reduce((sum, { missing }) => sum + missing.length, 0);
    const percent = (100 * (lines - left)) / lines;
    console.log(`coverage of ${place}: ${percent.toFixed(2)} % of ${lines} lines (floor ${floor} %)`);
    if (percent >= floor) return false;
    const worst = inside.toSorted((a, b) => b.missing.length - a.missing.length).slice(0, 15);
    for (const { file, missing } of worst.filter(({ missing }) => missing.length > 0))
      console.error(`  ${file}: ${missing.length} lines, among them ${missing.slice(0, 5).join(', ')}`);
    return true;
  });
  return missed.length === 0;
}

/** Numbers of the lines that are neither blank nor a comment. */
const codeLines = (text) =>
  text.split('\n').flatMap((line, at) => (/^\s*(?:$|\/\/|\/\*|\*|[{}()[\];,]+$)/.test(line) ? [] : [at + 1]));

/** By file, the lines of which a character was reached in one of the processes. */
function reachedLines(folder) {
  const root = process.cwd();
  const reached = new Map();
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    for (const { url, functions } of result) {
      if (!url.startsWith('file://') || !url.endsWith('.ts')) continue;
      const file = relative(root, fileURLToPath(url)).replaceAll('\\', '/');
      if (!file.startsWith('src/')) continue;
      const lines = reached.get(file) ?? new Set();
      reached.set(file, lines);
      addLines(lines, stripped(readFileSync(file, 'utf8')), functions);
    }
  }
  return reached;
}

function addLines(lines, text, functions) {
  const marks = new Uint8Array(text.length);
  // The outer ones first: those inside of them say it more exactly.
  const ranges = functions
    .flatMap((one) => one.ranges)
    .sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count } of ranges)
    marks.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  let line = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10) line += 1;
    else if (marks[at] === 1 && code > 32) lines.add(line);
  }
}
