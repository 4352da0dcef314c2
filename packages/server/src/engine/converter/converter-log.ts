/** What a converter has written so far. */
export type ConverterLog = {
  add(line: string): void;
  /** The last line that is no progress; empty if there is none. */
  lastWords(): string;
};

const MAX_WORDS_LENGTH = 500;
/** How Python's `logging` begins a line: `ERROR:hf-to-gguf:`. */
const LOG_PREFIX = /^(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.-]+:/;
/** The line that `tqdm` draws while tensors are written: `Writing:  12%|█▏  | 100M/1.2G [00:01<00:10, 100Mbyte/s]`. */
const PROGRESS = /^Writing:\s+(\d{1,3})%\|/;
const ANY_PROGRESS = /\d+%\||\[\d+:\d+/;

/** Collects the lines of a converter, to say why it ended. */
export function createConverterLog(): ConverterLog {
  let words = "";
  return {
    add(line) {
      const text = line.trim();
      if (text !== "" && !ANY_PROGRESS.test(text)) words = text.replace(LOG_PREFIX, "").slice(0, MAX_WORDS_LENGTH);
    },
    lastWords: () => words,
  };
}

/** Returns the share of the tensors that are written, from 0 to 1, if a line says it; null for any other line. */
export function readConvertedShare(line: string): number | null {
  const percent = PROGRESS.exec(line.trim())?.[1];
  return percent === undefined ? null : Math.min(Number(percent), 100) / 100;
}
