/**
 * Replaces names of fields in messages of the engine, which uses those of chat completions, by the names in the caller's
 * format.
 */
export type ToCallerFields = (text: string) => string;

/** Matches the path of a tool, as in `tools[0].function`. */
const TOOL = /\btools\[(\d+)\]\.function\b(?:\.parameters\b)?/g;
const ANSWER_SCHEMA = /\bresponse_format\.json_schema\.schema\b/g;

/**
 * Creates what names fields as the caller of a format does: `parameters` is where a tool has its schema, `answerSchema` where
 * the request has that of the answer, and `fields` holds the caller's names of whole fields by those of chat completions.
 */
export function createCallerFields(
  parameters: string,
  answerSchema: string,
  fields: Readonly<Record<string, string>>,
): ToCallerFields {
  const callerFields = new Map(Object.entries(fields));
  return (text) =>
    callerFields.get(text) ??
    text
      .replaceAll(TOOL, (place: string, index: string) =>
        place.endsWith(".parameters") ? `tools[${index}].${parameters}` : `tools[${index}]`,
      )
      .replaceAll(ANSWER_SCHEMA, answerSchema);
}
