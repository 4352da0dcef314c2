/**
 * Returns a command line as it can be pasted into a shell, with other flags for the page. `argv` is without the program's
 * name; words after `--` stay behind it.
 */
export function formatPageCommand(argv: readonly string[], pageFlags: string): string {
  const isAll = pageFlags === "--all";
  const end = argv.indexOf("--");
  const [flags, texts] = end === -1 ? [argv, []] : [argv.slice(0, end), argv.slice(end)];
  const kept = withoutFlags(flags, isAll ? ["--page", "--limit"] : ["--page"]);
  return ["feather", ...kept.map(quoteWord), pageFlags, ...texts.map(quoteWord)].join(" ");
}

/** Removes flags and their values, which are the next words or follow an equals sign. */
function withoutFlags(words: readonly string[], names: readonly string[]): readonly string[] {
  return words.filter(
    (word, index) => !names.includes(word.replace(/=.*$/s, "")) && !names.includes(words[index - 1] ?? ""),
  );
}

/** Quotes a word for POSIX shells, where they would interpret it. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
