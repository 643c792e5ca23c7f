/** What another program found in a text: a tag, and UTF-16 offsets. */
export interface TextFinding {
  tag: string;
  start: number;
  end: number;
}

/** By text: what was found in it, for every place of the input that has this text. */
export type RecognizedTexts = ReadonlyMap<string, readonly TextFinding[]>;
