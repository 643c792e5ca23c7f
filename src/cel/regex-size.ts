// Compiling a pattern is expensive: 14 characters such as `(?:a?){1000}` make 70,000 instructions, and a source can
// contain many. So the size is estimated from the text first, and a pattern that is far too large is never compiled.

const TOKEN = new RegExp(
  [
    /(?<quoted>\\Q[\s\S]*?(?:\\E|$))/,
    /(?<atom>\\[pPx]\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\])/,
    /\{(?<least>\d+)(?<open>,?)(?<most>\d*)\}/,
    /(?<mark>[*+?()|])/,
    /[\s\S]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

interface Group {
  /** Instructions of what is complete. */
  done: number;
  /** Instructions of the last piece, which a repetition may follow. */
  last: number;
}

/** An upper estimate of the instructions that a pattern compiles to: counted repetitions are expanded. */
export function estimateSize(source: string): number {
  const outer: Group[] = [];
  let group: Group = { done: 0, last: 0 };
  for (const { 0: text, groups = {} } of source.matchAll(TOKEN)) {
    const { quoted, least, open, most, mark } = groups;
    if (least !== undefined) {
      const count = Math.max(Number(least) + Number(open !== ''), Number(most));
      group.last = count * (group.last + 1);
    } else if (mark === '(') {
      outer.push(group);
      group = { done: 0, last: 0 };
    } else if (mark === ')') {
      const size = group.done + group.last + 2;
      group = outer.pop() ?? group;
      group = { done: group.done + group.last, last: size };
    } else if (mark === '|') {
      group.done += group.last + 1;
      group.last = 0;
    } else if (mark !== undefined) group.last += 1;
    else {
      group.done += group.last;
      group.last = quoted === undefined ? 1 : text.length;
    }
  }
  return [...outer, group].reduce((total, { done, last }) => total + done + last, 0);
}
