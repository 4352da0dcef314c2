/** Reads the output of a converter. */
export type ConverterLog = {
  add(line: string): void;
  /** Returns the last line that is not a progress line; empty without one. */
  lastWords(): string;
};

const MAX_WORDS_LENGTH = 500;
/** Matches the beginning of a line of Python's `logging`: `ERROR:hf-to-gguf:`. */
const LOG_PREFIX = /^(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.-]+:/;
/**
 * Matches the progress line of `tqdm` while tensors are written: `Writing:  12%|█▏  | 100M/1.2G [00:01<00:10, 100Mbyte/s]`.
 */
const PROGRESS = /^Writing:\s+(\d{1,3})%\|/;
const ANY_PROGRESS = /\d+%\||\[\d+:\d+/;

/** Creates the reader of a converter's output, from which the reason of a failure is read. */
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

/** Returns the share of the tensors that are written, 0 to 1, from a progress line; null for other lines. */
export function readConvertedShare(line: string): number | null {
  const percent = PROGRESS.exec(line.trim())?.[1];
  return percent === undefined ? null : Math.min(Number(percent), 100) / 100;
}
