/** WebAssembly as every runtime has it (W3C Core Specification 2.0); the language's own library does not name it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: { memory: { buffer: ArrayBuffer }; run: Run } };
};

type Run = (value: number) => void;

/** Instructions; what they compute is left on the stack. */
export type Code = readonly number[];

function joined(codes: readonly Code[], instruction: number): Code {
  return codes.flatMap((code, k) => (k === 0 ? code : [...code, instruction]));
}

/** A number from -64 on as the format has it (LEB128), signed or not. */
export function leb(value: number): Code {
  return value < 64 ? [value & 127] : [(value & 127) | 128, ...leb(value >> 7)];
}

/** Integers of 32 bits. */
export const constant = (value: number): Code => [0x41, ...leb(value)];
export const not = (x: Code): Code => [...x, 0x45]; // 1 for 0, and 0 for anything else
export const get = (local: number): Code => [0x20, local];
export const set = (local: number, value: Code): Code => [...value, 0x21, local];
/** Sets a variable and leaves its value. */
export const tee = (local: number, value: Code): Code => [...value, 0x22, local];
export const plus = (x: Code, y: Code): Code => [...x, ...y, 0x6a];
export const minus = (x: Code, y: Code): Code => [...x, ...y, 0x6b];
export const and = (...codes: readonly Code[]): Code => joined(codes, 0x71);
export const or = (...codes: readonly Code[]): Code => joined(codes, 0x72);
export const left = (x: Code, by: number): Code => [...x, ...constant(by), 0x74];
export const leftBy = (x: Code, y: Code): Code => [...x, ...y, 0x74];
export const right = (x: Code, by: number): Code => [...x, ...constant(by), 0x76];
export const rightBy = (x: Code, y: Code): Code => [...x, ...y, 0x76];
export const lowestBit = (x: Code): Code => [...x, 0x68];
export const bitCount = (x: Code): Code => [...x, 0x69];
/** The byte, or the 16 bits, so far behind an address. */
export const byteAt = (address: Code, offset: number): Code => [...address, 0x2d, 0, ...leb(offset)];
export const unitAt = (address: Code, offset: number): Code => [...address, 0x2f, 1, ...leb(offset)];
export const load = (address: Code, offset: number): Code => [...address, 0x28, 2, ...leb(offset)];
export const store = (address: Code, offset: number, value: Code): Code => [
  ...address,
  ...value,
  0x36,
  2,
  ...leb(offset),
];
export const storeUnit = (address: Code, offset: number, value: Code): Code => [
  ...address,
  ...value,
  0x3b,
  1,
  ...leb(offset),
];
/** Runs the body as long as the condition is not 0, which is asked first. */
export const whileTrue = (condition: Code, body: Code): Code => [
  ...[0x02, 0x40, 0x03, 0x40], // block, loop
  ...[...condition, 0x45, 0x0d, 1], // leave the block when it is 0
  ...[...body, 0x0c, 0, 0x0b, 0x0b],
];
export const isBelow = (x: Code, y: Code): Code => [...x, ...y, 0x49];

const section = (id: number, content: Code): Code => [id, ...leb(content.length), ...content];
const named = (name: string): Code => [name.length, ...[...name].map((c) => c.charCodeAt(0))];
const INTEGER = 0x7f;
const VECTOR = 0x7b;
const PAGE = 65_536;

/**
 * A function whose parameter is variable 0. Of its variables so many are integers, that one among them, and then so many
 * vectors. It has `memory` bytes of its own.
 */
export function compile(
  body: Code,
  integers: number,
  vectors: number,
  memory: number,
): { run: Run; memory: ArrayBuffer } {
  const code = [2, integers - 1, INTEGER, vectors, VECTOR, ...body, 0x0b];
  const module = Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0], // magic number and version
    ...section(1, [1, 0x60, 1, INTEGER, 0]), // the type of the function
    ...section(3, [1, 0]),
    ...section(5, [1, 0, ...leb(Math.ceil(memory / PAGE))]),
    ...section(7, [2, ...named('memory'), 2, 0, ...named('run'), 0, 0]),
    ...section(10, [1, ...leb(code.length), ...code]),
  ]);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module));
  return { run: exports.run, memory: exports.memory.buffer };
}
