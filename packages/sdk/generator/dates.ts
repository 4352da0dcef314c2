/** Schemas of model answers, whose fields are as OpenAI and Anthropic have them: no dates among them. */
const FOREIGN = /^\s+(?:ResponsesAnswer|ResponsesInputItem): /;

/** Fields named `*_at` and `*_date` arrive as dates, so that is what their types say. Days in a query are sent as text. */
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
