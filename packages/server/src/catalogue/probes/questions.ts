import type { ProbeAnswer, ProbeBody } from "../../gateway/index.ts";
import { PLAIN_PICTURE, PLAIN_PICTURE_COLOUR } from "./plain-picture.ts";
import { findUnclear, MAX_ANSWER_TOKENS, toNo, toUnclear, type Verdict, YES } from "./verdict.ts";

/** A small call that shows an ability, and the judge of its answer. */
export type Question = {
  body: ProbeBody;
  /** The number of pictures in the prompt. */
  images: number;
  judge(answer: ProbeAnswer): Verdict;
};

const toMessages = (content: unknown) => [{ role: "user", content }];
const withLimit = (max_tokens: number, fields: { messages: unknown; [field: string]: unknown }): ProbeBody => ({
  ...fields,
  max_tokens,
  temperature: 0,
});

/** The tokens over which the speed is measured. */
const SPEED_TOKENS = 64;
const COLOURS = /\b(red|green|blue|yellow|purple|violet|pink|magenta|brown|black|white|gr[ae]y|cyan|teal|orange)\b/gi;

/** Asks for a text of which the time is measured. Whatever it says, the model has answered. */
const SPEED: Question = {
  body: withLimit(SPEED_TOKENS, {
    messages: toMessages("Count from 1 to 60 in words, separated by commas. Do not explain anything."),
  }),
  images: 0,
  judge: ({ tokens }) => (tokens > 0 ? YES : toUnclear("Its answer was empty.")),
};

/** Asks for what only a tool knows. Whether to call it is left to the model, as callers leave it. */
const TOOLS: Question = {
  body: withLimit(MAX_ANSWER_TOKENS, {
    messages: toMessages("What is the weather in Paris now? Call the tool get_weather."),
    tools: [
      {
        type: "function",
        function: {
          name: "get_weather",
          description: "Returns the current weather in a city.",
          parameters: {
            type: "object",
            properties: { city: { type: "string", description: "Name of the city, such as London." } },
            required: ["city"],
          },
        },
      },
    ],
    tool_choice: "auto",
  }),
  images: 0,
  judge: judgeTools,
};

/** Asks for an object of two fields, with a prompt that does not describe it. */
const JSON_SCHEMA: Question = {
  body: withLimit(MAX_ANSWER_TOKENS, {
    messages: toMessages("Name the capital of France, and say whether it lies at a river."),
    response_format: {
      type: "json_schema",
      json_schema: {
        name: "capital",
        strict: true,
        schema: {
          type: "object",
          properties: { capital: { type: "string" }, has_river: { type: "boolean" } },
          required: ["capital", "has_river"],
          additionalProperties: false,
        },
      },
    },
  }),
  images: 0,
  judge: judgeJsonSchema,
};

/** Asks for the colour of a picture that has only one. */
const VISION: Question = {
  body: withLimit(MAX_ANSWER_TOKENS, {
    messages: toMessages([
      { type: "image_url", image_url: { url: PLAIN_PICTURE } },
      { type: "text", text: "Which colour is this picture? Answer with one word." },
    ]),
  }),
  images: 1,
  judge: judgeVision,
};

/** The questions by what they show. Long prompts have their own file, since their length depends on the model. */
export const QUESTIONS = { speed: SPEED, tools: TOOLS, json_schema: JSON_SCHEMA, vision: VISION } as const;

function judgeTools(answer: ProbeAnswer): Verdict {
  const unclear = findUnclear(answer);
  if (unclear !== null) return unclear;
  const [called] = answer.tools;
  if (called === undefined) return toNo("It answered with a text instead of calling the tool.");
  if (called.name !== "get_weather") return toNo("It called a tool that there is not.");
  const city = toObject(called.arguments)?.city;
  return typeof city === "string" && city !== "" ? YES : toNo("It called the tool with arguments that do not fit it.");
}

function judgeJsonSchema(answer: ProbeAnswer): Verdict {
  const unclear = findUnclear(answer);
  if (unclear !== null) return unclear;
  const value = toObject(answer.text);
  if (value === null) return toNo("Its answer is not a JSON object.");
  const fits =
    Object.keys(value).length === 2 && typeof value.capital === "string" && typeof value.has_river === "boolean";
  return fits ? YES : toNo("Its answer does not follow the schema.");
}

function judgeVision(answer: ProbeAnswer): Verdict {
  const unclear = findUnclear(answer);
  if (unclear !== null) return unclear;
  const named = new Set(answer.text.toLowerCase().match(COLOURS) ?? []);
  if (named.size > 1) return toUnclear("It named several colours.");
  if (named.has(PLAIN_PICTURE_COLOUR)) return YES;
  return toNo(named.size === 1 ? "It named another colour." : "It named no colour.");
}

function toObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
