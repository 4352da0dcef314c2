/** Schemas of model responses. Their fields follow OpenAI's and Anthropic's formats, which contain no dates. */
const FOREIGN = /^\s+(?:ResponsesAnswer|ResponsesInputItem): /;

/** Returns the schema types with `Date` for fields named `*_at` and `*_date`, which the client revives. Query parameters keep `string`. */
export function withDates(schema: string): string {
  let untouched: string | null = null;
  const lines = schema.split("\n").map((line) => {
    const [indent = ""] = /^\s*/.exec(line) ?? [];
    if (untouched === null && (/^\s+query\??: \{$/.test(line) || FOREIGN.test(line))) untouched = indent;
    else if (untouched !== null && line.startsWith(`${untouched}}`)) untouched = null;
    if (untouched !== null) return line;
    return line.replace(/^(\s+\w+_(?:at|date)\??: )(?:string|number)( \| null)?;$/, "$1Date$2;");
  });
  return lines.join("\n");
}
