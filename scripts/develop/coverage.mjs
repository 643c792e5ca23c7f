import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { placesOfProbes } from './probes.mjs';
import { probed, stripped } from './quick-modules.mjs';

// Lines that tests reached, by the probes in what they ran: TEST_COVERAGE. Stripping types keeps every character's place.

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

/** Prints how many lines the processes reached that wrote into `folder`. False when that is below a floor. */
export function holdsFloors(folder) {
  const { places, size } = placesOfProbes(process.cwd());
  const bytes = new Uint8Array(size);
  for (const name of readdirSync(folder)) {
    const more = readFileSync(join(folder, name));
    for (let at = 0; at < size; at += 1) bytes[at] |= more[at];
  }
  const counted = [...places].map(([file, { start, length }]) => {
    const source = readFileSync(file, 'utf8');
    const reached = reachedLines(
      stripped(source),
      probed(source, file).regions,
      bytes.subarray(start, start + length),
    );
    const lines = codeLines(stripped(source));
    return { file, lines: lines.length, missing: lines.filter((line) => !reached.has(line)) };
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

/** Numbers of the lines of which a character was reached, by the bytes of the module's probes. */
export function reachedLines(text, regions, bytes) {
  const marks = new Uint8Array(text.length).fill(bytes[0]);
  // The outer ones first: those inside of them say it more exactly.
  for (const [start, end] of regions.toSorted((a, b) => a[0] - b[0] || b[1] - a[1]))
    marks.fill(bytes[start + 1], start, end);
  const lines = new Set();
  let line = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10) line += 1;
    else if (marks[at] === 1 && code > 32) lines.add(line);
  }
  return lines;
}
